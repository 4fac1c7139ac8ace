import { expect, test } from 'vitest'
import { createImage } from '../../../src/server/domains/participants/photo-changes.fixtures.ts'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

test('an owner names the conference, sees at once that attendees see it, and takes it back', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const saved = await eva.submit('/console/settings', 'Save', { title: 'Harbour Days', time_zone: 'Europe/Oslo' })
  expect(saved.path).toMatch(/^\/console\/settings\?done=\d+$/)
  expect(saved.words).toContain('Saved. Attendees see it already. Undo')
  expect((await t.client.getSchedule({})).schedule.conference).toMatchObject({
    title: 'Harbour Days',
    time_zone: 'Europe/Oslo',
  })
  const undone = await eva.submit(saved, 'Undo')
  expect(undone.words).toContain('Undone. Redo')
  expect((await t.client.getSchedule({})).schedule.conference).toMatchObject({
    title: 'Summit 2030',
    time_zone: 'Europe/Berlin',
  })
  expect((await eva.submit('/console/settings', 'Save')).words).toContain('Nothing was changed.')
})

test('what cannot be saved stays in the form, with the reason beside each field', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const failed = await eva.submit('/console/settings', 'Save', {
    title: 'Harbour Days',
    url: 'ftp://x',
    first_day: '2030-05-03',
    last_day: '2030-05-01',
  })
  expect([failed.status, failed.words]).toEqual([422, expect.stringContaining('One field needs another value.')])
  expect(failed.text).toContain('value="ftp://x" ')
  expect(failed.text).toContain('value="Harbour Days"')
  const { title } = (await t.client.getSchedule({})).schedule.conference
  expect(title).toBe('Summit 2030')
  const again = await eva.submit(failed, 'Save', { url: '' })
  expect(again.words).toContain('Last day must not be before First day.')
  const { path } = await eva.submit(again, 'Save', { last_day: '2030-05-04' })
  expect(path).toContain('done=')
  expect((await t.client.getSchedule({})).schedule.conference).toMatchObject({ title: 'Harbour Days', url: '' })
})

test('of two organizers at one form, the second sees what the first has changed, and loses nothing', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const [eva, tom] = [await signInToConsole(t), await signInToConsole(t, 'tom@summit.example', ['editor'])]
  const form = await tom.open('/console/settings')
  await eva.submit('/console/settings', 'Save', { title: 'Harbour Days', acronym: 'hd', time_zone: 'Europe/Oslo' })
  const stale = await tom.submit(form, 'Save', { title: 'Port Days', last_day: '2030-05-04' })
  expect([stale.status, stale.words]).toEqual([
    409,
    expect.stringContaining('This was changed meanwhile, by somebody else or in another tab.'),
  ])
  // Both have named it; only Eva has chosen the zone, and only Tom the last day.
  expect(stale.words).toContain('Changed meanwhile to: Harbour Days')
  expect(stale.text).toContain('value="Port Days"')
  expect(stale.text).toContain('<option value="Europe/Oslo" selected>')
  expect(stale.text).toContain('value="2030-05-04"')
  const saved = await tom.submit(stale, 'Save')
  expect(saved.words).toContain('Saved.')
  expect((await t.client.getSchedule({})).schedule.conference).toMatchObject({
    title: 'Port Days',
    acronym: 'hd',
    time_zone: 'Europe/Oslo',
    last_day: '2030-05-04',
  })
})

test('those without the role get no page of it, and nobody without a session', async () => {
  await using t = await startTestApp()
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  expect((await mia.open('/console/settings')).status).toBe(403)
  const { text } = await mia.open('/console')
  expect(text).not.toContain('/console/settings')
  const visitor = await fetch(`${t.url}/console/settings`, { headers: { accept: 'text/html' }, redirect: 'manual' })
  expect([visitor.status, visitor.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fconsole%2Fsettings'])
})

test('whoever was signed out while they typed sends the form again, once they have signed in', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const form = await eva.open('/console/settings')
  await eva.client.signOut({})
  const kept = await eva.submit(form, 'Save', { title: '“Harbour” <Days>' })
  expect([kept.status, kept.words]).toEqual([401, expect.stringContaining('What you have typed is kept on this page')])
  expect((await t.client.getSchedule({})).schedule.conference.title).toBe('Summit 2030')
  const again = await signInToConsole(t)
  expect((await again.submit(kept, 'Send again')).words).toContain('Saved.')
  expect((await t.client.getSchedule({})).schedule.conference.title).toBe('“Harbour” <Days>')
})

test('of a form with a file, whoever was signed out meanwhile chooses only the file again', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const form = await eva.open('/console/import')
  await eva.client.signOut({})
  const file = new File(['Title,Start'], 'program.csv')
  const kept = await eva.submit(form, 'Show what it would change', { file, source: 'workshops' })
  expect([kept.status, kept.words]).toEqual([401, expect.stringContaining('only files have to be chosen again')])
  const again = await (await signInToConsole(t)).submit(kept, 'Send again')
  expect([again.status, again.words]).toEqual([422, expect.stringContaining('Choose a file.')])
  expect(again.text).toContain('value="workshops"')
})

test('an owner chooses a hue and a logo, and returns to the colour of Summit', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const coloured = await eva.submit('/console/settings', 'Save', { hue: '120' })
  expect(coloured.text).toContain('<style>:root{--hue:120}</style>')
  const failed = await eva.submit(coloured, 'Save', { hue: '400' })
  expect(failed.words).toContain('Hue must be a whole number from 0 to 359, or empty.')
  const file = new File([await createImage('#933', 'png')], 'logo.png', { type: 'image/png' })
  const shown = await eva.submit('/console/settings', 'Add the picture', { photo: file })
  expect(shown.words).toContain('Saved. Attendees see it already. Undo')
  expect(shown.text).toMatch(/<img src="\/api\/[^"]*logo[^"]*" alt="Logo">/)
  const removed = await eva.submit(shown, 'Remove the picture')
  expect(removed.text).not.toContain('alt="Logo"')
  const restored = await eva.submit(removed, 'Undo')
  expect(restored.text).toContain('alt="Logo"')
  await eva.submit(restored, 'Save', { hue: '' })
  expect((await t.client.getSchedule({})).schedule.conference).toMatchObject({ hue: null })
})
