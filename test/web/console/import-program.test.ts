import { expect, test } from 'vitest'
import { signInToConsole } from './organizer.ts'
import { csv, plan, rows, startImporting } from './program-files.ts'

test('an editor sees what a file would change, imports it as drafts, publishes nothing yet, and takes it back', async () => {
  await using t = await startImporting()
  const { eva } = t
  const file = csv(rows.opening, rows.boats, rows.closing)
  const planned = await eva.submit('/console/import', plan, { file })
  expect(planned.status).toBe(200)
  expect(planned.words).toMatch(/What this file changes 3 new FormatCSV Days2 days, 2\s–\s3 May 2030 Rooms2/)
  expect(planned.words).toMatch(/Opening Hall, 2 May, 09:00 · line 2/)
  expect(planned.words).toMatch(/Ana Cruz Speaker, new/)
  expect(await t.titles()).toEqual([])
  const done = await eva.submit(planned, 'Import', { file })
  expect(done.path).toMatch(/^\/console\/import\?done=\d+&imported=3&draft=true$/)
  expect(done.words).toContain('The file is imported. Undo')
  expect(done.words).toContain('3 sessions were imported as drafts. Look through them, then publish.')
  expect(await t.titles()).toEqual([])
  expect((await eva.submit('/console/import', plan, { file })).words).toContain(
    'Nothing: all that is in the file is in the program already.',
  )
  expect((await eva.submit(done, 'Undo')).words).toContain('Undone.')
  expect((await eva.submit('/console/import', plan, { file })).words).toContain('3 new')
})

test('what was changed here since the last import comes first, and stays unless it is ticked', async () => {
  await using t = await startImporting()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats, rows.closing))
  const rename = async (id: number, title: string) => {
    const { event } = await eva.client.getDraftEvent({ id })
    await eva.client.updateEvent({ id, revision: event.revision, title, publish: true })
  }
  await rename(1, 'Welcome')
  const file = csv(rows.opening, rows.boats.replace('Boats', 'Ships'), rows.closing)
  const planned = await eva.submit('/console/import', plan, { file, draft: 'false' })
  expect(planned.words).toMatch(
    /Look at this first Changed here since the last import 1 Not ticked, your change stays. .*? Opening Retitled title “Welcome” → “Opening” .* Sessions .* Retitled 1 Ships/,
  )
  await eva.submit(planned, 'Import', { file })
  expect(await t.titles()).toEqual(['Welcome', 'Ships', 'Closing'])

  // Another organizer changes a session whose row is ticked.
  const rafts = csv(rows.opening, rows.boats.replace('Boats', 'Rafts'), rows.closing.replace('Closing', 'Bye'))
  const ticked = await eva.submit('/console/import', plan, { file: rafts, draft: 'false' })
  await rename(2, 'Canoes')
  const only = ['1-edited.e1', '2-e2', '3-e3']
  const stale = await eva.submit(ticked, 'Import', { file: rafts, only })
  expect([...stale.text.matchAll(/value="([^"]*)" checked/g)].map(([, value]) => value)).toEqual(
    expect.arrayContaining(['1-edited.e1', '3-e3']),
  )
  expect(stale.text).not.toContain('2-edited.e2" checked')
  await eva.submit(stale, 'Import', { file: rafts })
  expect(await t.titles()).toEqual(['Opening', 'Canoes', 'Bye'])
})

test('only editors import a program, and whoever signs in again after a form gets its page', async () => {
  await using t = await startImporting()
  const { status, location } = await t.eva.open('/console/import/apply')
  expect([status, location]).toEqual([303, '/console/import'])
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  expect((await mia.open('/console/import')).status).toBe(403)
})
