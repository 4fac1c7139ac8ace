import { expect, test } from 'vitest'
import type { EventId } from '../../../src/server/core/ids.ts'
import { addRecord } from '../../../src/server/domains/program/records.ts'
import { startTestApp } from '../../app.ts'
import { chooseSeed, createRandom } from '../../faults/random.ts'
import { inCommand } from '../../in-command.ts'
import { addConference, readPage } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

/** A program of two published sessions, and Eva, who edits it. */
async function startPublished() {
  const t = await startTestApp()
  await addConference(t)
  await inCommand(t, async (scope) => {
    for (const name of ['Hall', 'Forum']) await addRecord(scope, 'room', { name, building: null })
    await addRecord(scope, 'speaker', { name: 'Ana Cruz' })
  })
  const eva = await signInToConsole(t)
  const { client } = eva
  const add = async (title: string, hour = '09') => {
    const slot = { starts_at: `2030-05-02 ${hour}:00`, ends_at: `2030-05-02 ${hour}:45`, room_id: 1 }
    return Number((await client.createEvent({ title, ...slot })).event.id)
  }
  const change = async (id: number, values: Omit<Parameters<typeof client.updateEvent>[0], 'id' | 'revision'>) => {
    const { revision } = (await client.getDraftEvent({ id })).event
    await client.updateEvent({ id, revision, ...values })
  }
  const [boats, knots] = [await add('Small boats'), await add('Knots', '11')]
  await client.publish({})
  const releases = async () => (await readPage(t, '/releases')).words
  return {
    ...t,
    eva,
    client,
    add,
    change,
    boats,
    knots,
    releases,
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  }
}

/** What the preview says. */
const previewIn = (words: string): string => /What attendees will read (.*?) Of the sessions/.exec(words)?.[1] ?? ''

test('an organizer sees what attendees will see change, what matters first, and publishes it with a note', async () => {
  await using t = await startPublished()
  await t.change(t.boats, { starts_at: '2030-05-02 10:00', ends_at: '2030-05-02 10:45', room_id: 2 })
  await t.change(t.knots, { is_cancelled: true })
  const sails = await t.add('Sails', '14')
  const page = await t.eva.open('/console/publish')
  expect(page.words).toContain(
    '3 sessions are not published as you see them in the console. What attendees see ' +
      'Chosen sessions: All None ' +
      'Cancelled 1 Cancelled Knots Thu 11:00, Hall ' +
      'Moved 1 Moved Small boats Thu 09:00, Hall → Thu 10:00, Forum ' +
      'New 1 New Sails Thu 14:00, Hall',
  )
  expect(page.text).toContain('>Publish (3)</a>')
  expect(page.text).toContain(`<a href="/console/sessions/${sails}" dir="auto">Sails</a>`)
  const published = await t.eva.submit(page, 'Publish', { note: 'The hall leaks.\r\nBring boots.' })
  expect(published.words).toContain('Published. Attendees see it now. Undo Everything is published')
  expect(published.text).toContain('<a href="/releases">What attendees see</a>')
  const { releases } = await t.client.listReleases({ offset: 0, limit: 1 })
  expect(releases[0]?.note).toBe('The hall leaks.\nBring boots.')
  expect(await t.releases()).toContain(
    'The hall leaks. Bring boots. Moved Small boats Thu 09:00, Hall → Thu 10:00, Forum Cancelled Knots New Sails',
  )
  const undone = await t.eva.submit(published, 'Undo')
  expect(undone.words).toContain('Undone. Redo 3 sessions are not published')
})

test('only what is ticked is published, and the preview is of that', async () => {
  await using t = await startPublished()
  await t.change(t.boats, { title: 'Large boats' })
  await t.change(t.knots, { title: 'Bends' })
  const one = await t.eva.open(`/console/publish?event=${t.knots}`)
  expect(previewIn(one.words)).toBe('New title Bends')
  await t.eva.submit(one, 'Publish')
  expect((await t.client.getSchedule({})).schedule.events.map(({ title }) => title)).toEqual(['Small boats', 'Bends'])
  const none = await t.eva.open('/console/publish?events=')
  expect(previewIn(none.words)).toContain('Nothing')
  expect((await t.eva.submit(none, 'Publish')).words).toContain('Nothing was changed. 1 session is not published')
  const typed = await t.eva.open(`/console/publish?events=${t.boats}&note=%3Cb%3EHello`)
  expect(previewIn(typed.words)).toBe('<b>Hello New title Large boats')
  const tooLong = await t.eva.submit(none, 'Publish', { events: [String(t.boats)], note: 'x'.repeat(100_000) })
  expect(tooLong.status).toBe(422)
  expect(tooLong.text).toMatch(new RegExp(`value="${t.boats}" aria-label="[^"]*" checked>`))
  expect(tooLong.text).toContain('xxx</textarea>')
})

test('what attendees are not told, and what leaves the program, is listed with the members that change', async () => {
  await using t = await startPublished()
  await t.change(t.boats, { description: '<p>Oars</p>', tags: ['wet'] })
  const { revision } = (await t.client.getDraftEvent({ id: t.knots })).event
  await t.client.deleteEvent({ id: t.knots, revision })
  const { words } = await t.eva.open('/console/publish')
  expect(words).toMatch(
    /Deleted 1 They leave .* Knots .* Other changes 1 Attendees see .* Small boats description, tags/,
  )
  expect(previewIn(words)).toContain('Nothing')
  await t.eva.submit('/console/publish', 'Publish')
  expect((await t.client.getSchedule({})).schedule.events.map(({ title }) => title)).toEqual(['Small boats'])
})

test('discarding says what is lost, takes only what is ticked, and can be undone', async () => {
  await using t = await startPublished()
  await t.change(t.boats, { title: 'Large boats' })
  await t.change(t.knots, { title: 'Bends' })
  const page = await t.eva.open(`/console/publish?event=${t.boats}`)
  expect(page.words).toContain('The changes of the chosen sessions are lost')
  const discarded = await t.eva.submit(page, 'Discard the changes of chosen sessions')
  expect(discarded.words).toContain('Discarded. Attendees have seen nothing of it. Undo 1 session is not published')
  expect((await t.eva.submit(discarded, 'Undo')).words).toContain('2 sessions are not published')
  const fresh = await t.add('Sails')
  expect((await t.eva.open(`/console/publish?event=${fresh}`)).words).not.toContain('Discard')
})

test('clashes are a warning with links, and block nothing', async () => {
  await using t = await startPublished()
  expect((await t.eva.open('/console/publish')).words).not.toContain('clash')
  await t.change(t.knots, { starts_at: '2030-05-02 09:30', ends_at: '2030-05-02 10:00', speaker_ids: [1] })
  await t.change(t.boats, { speaker_ids: [1] })
  const page = await t.eva.open('/console/publish')
  expect(page.words).toContain(
    '2 clashes among what will be published at the same time in Hall: Small boats and Knots ' +
      'at the same time with Ana Cruz: Small boats and Knots',
  )
  expect((await t.eva.submit(page, 'Publish')).words).toContain('Published.')
})

test('the first publication is one sentence, and its sessions can still be chosen', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  expect((await eva.open('/console/publish')).words).toContain('There is no session yet')
  for (const title of ['Knots', 'Sails']) await eva.client.createEvent({ title })
  const page = await eva.open('/console/publish')
  expect(page.words).toContain('The program goes out: 2 sessions')
  expect(page.words).toContain('New 2 Choose sessions')
  expect(previewIn(page.words)).toBe('The program is out.')
  await eva.submit(page, 'Publish', { events: ['2'] })
  expect((await eva.client.getSchedule({})).schedule.events.map(({ title }) => title)).toEqual(['Sails'])
  expect((await readPage(t, '/releases')).words).toContain('The program is out.')
})

test('more than 1,000 sessions are published together, and one of them alone by its address', async () => {
  await using t = await startPublished()
  await inCommand(t, async ({ db }) => {
    const row = await db
      .selectFrom('event')
      .selectAll()
      .where('id', '=', t.boats as EventId)
      .executeTakeFirstOrThrow()
    for (let n = 1; n <= 1_001; n++) {
      const { id: _, ...values } = row
      const own = { title: `Copy ${n}`, guid: crypto.randomUUID(), source_key: `copy ${n}`, is_deleted: 1 }
      await db
        .insertInto('event')
        .values({ ...values, ...own })
        .execute()
    }
  })
  const last = (await t.client.getDraft({})).draft.events.find(({ title }) => title === 'Copy 1001')
  const page = await t.eva.open('/console/publish')
  expect(page.words).toContain('All 1,001 are published together.')
  await t.eva.submit(`/console/publish?event=${last?.id}`, 'Publish')
  expect((await t.client.getSchedule({})).schedule.events).toHaveLength(3)
  await t.eva.submit(page, 'Publish')
  expect((await t.client.getSchedule({})).schedule.events).toHaveLength(1_003)
})

test('the preview is what attendees read after it, over random edits', async () => {
  await using t = await startPublished()
  const seed = chooseSeed()
  const random = createRandom(seed)
  for (let round = 1; round <= 8; round++) {
    for (let edit = 1; edit <= 4; edit++) {
      if (random.chance(0.3)) await t.add(`Session ${round}-${edit}`)
      const { events } = (await t.client.getDraft({})).draft
      const event = random.pick(events)
      const hour = String(random.int(10, 20))
      const values = random.pick([
        { title: `Title ${round}-${edit}` },
        { starts_at: `2030-05-0${random.int(1, 3)} ${hour}:00`, ends_at: `2030-05-03 ${hour}:45` },
        { room_id: random.int(0, 2) },
        { speaker_ids: random.chance(0.5) ? [1] : [] },
        { is_cancelled: random.chance(0.5) },
        { language: `l${edit}` },
      ])
      if (event && values && !event.is_deleted) await t.change(Number(event.id), values)
      if (event && random.chance(0.1)) {
        const { revision } = (await t.client.getDraftEvent({ id: Number(event.id) })).event
        await t.client.deleteEvent({ id: Number(event.id), revision })
      }
    }
    const { events } = (await t.client.getDraft({})).draft
    const some = events.filter(() => random.chance(0.7)).map(({ id }) => `events=${id}`)
    const page = await t.eva.open(`/console/publish?${some.join('&')}&note=Round+${round}`)
    if (!page.text.includes('id="publication"') || !page.text.includes(' checked')) continue
    await t.eva.submit(page, 'Publish')
    const shown = previewIn(page.words)
    const [newest = ''] = (await t.releases()).split(/\w+day, \d+ May 2030, \d\d:\d\d /).slice(1)
    expect(newest.trim(), `round ${round} of FAULT_SEED=${seed}`).toBe(shown)
  }
})

test('only editors publish', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  expect((await mia.open('/console/publish')).status).toBe(403)
})

test('nothing is published, or discarded, that another has changed since the page was shown', async () => {
  await using t = await startPublished()
  await t.change(t.boats, { title: 'Boats' })
  await t.change(t.knots, { title: 'Splices' })
  const shown = await t.eva.open('/console/publish')
  await t.change(t.boats, { title: 'A title that is half written' })

  for (const button of ['Publish', 'Discard the changes of chosen sessions']) {
    const refused = await t.eva.submit(shown, button, { note: 'Two new titles' })
    expect(refused.status).toBe(409)
    expect(refused.words).toContain('A session was changed since this page was shown')
    expect(refused.words).toContain('A title that is half written')
    expect(refused.text).toContain('Two new titles</textarea>')
  }
  expect(await t.releases()).not.toContain('half written')

  // What was not changed since is as it was shown, and whoever sends the page that came back has seen the rest.
  const others = await t.eva.submit(shown, 'Publish', { events: String(t.knots) })
  expect(others.words).toContain('Undo')
  expect((await t.client.getScheduleEvent({ id: t.knots as EventId })).event.title).toBe('Splices')
  const seen = await t.eva.open('/console/publish')
  await t.eva.submit(seen, 'Publish')
  expect((await t.client.getScheduleEvent({ id: t.boats as EventId })).event.title).toContain('half written')
})

test('nothing is published that another changes in the moment in which the form is sent', async () => {
  await using t = await startPublished()
  for (let round = 1; round <= 5; round++) {
    await t.change(t.boats, { title: `Read ${round}` })
    const shown = await t.eva.open('/console/publish')
    const { revision } = (await t.client.getDraftEvent({ id: t.boats })).event
    const edit = { id: t.boats, revision, title: `Half written ${round}` }
    const edited = t.client.updateEvent(edit).catch(() => 'it was published first')
    const sent = await t.eva.submit(shown, 'Publish')
    await edited
    expect(sent.words).toMatch(/Published\.|A session was changed/)
    expect((await t.client.getScheduleEvent({ id: t.boats as EventId })).event.title).not.toContain('Half written')
  }
})
