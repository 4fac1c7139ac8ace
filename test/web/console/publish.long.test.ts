import { expect, test } from 'vitest'
import type { EventId } from '../../../src/server/core/ids.ts'
import { startTestApp } from '../../app.ts'
import { chooseSeed, createRandom } from '../../faults/random.ts'
import { inCommand } from '../../in-command.ts'
import { addConference, readPage } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'
import { previewIn, startPublished } from './publish.fixtures.ts'

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
