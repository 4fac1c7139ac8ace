import { expect, test } from 'vitest'
import type { EventId } from '../../../src/server/core/ids.ts'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'
import { previewIn, startPublished } from './publish.fixtures.ts'

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
