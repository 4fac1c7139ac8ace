import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../access/app-with-keys.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'
import { csv, plan, rows, startImporting, toFile } from './program-files.ts'

// Plans of imports that are about a part of a program, have become stale, or are larger than a form.

test('a file with a part of the program is not imported before somebody says what it is', async () => {
  await using t = await startImporting()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats, rows.closing))
  const file = csv(rows.opening.replace('Opening', 'Welcome'))
  const planned = await eva.submit('/console/import', plan, { file, draft: 'false' })
  expect(planned.words).toContain('Is this the whole program?')
  expect(planned.words).toContain('The file has nothing on Friday 3 May, where you have 1 session.')
  const refused = await eva.submit(planned, 'Import', { file })
  expect([refused.status, refused.words]).toEqual([422, expect.stringContaining('Say whether it is the whole program')])
  const partly = await eva.submit(planned, 'Import', { file, whole: 'part' })
  expect([partly.status, partly.words]).toEqual([409, expect.stringContaining('if it has only some sessions')])
  expect(partly.words).toContain('1 retitled')
  await eva.submit(partly, 'Import', { file })
  expect(await t.titles()).toEqual(['Welcome', 'Boats', 'Closing'])
  const ships = csv(rows.boats.replace('Boats', 'Ships'))
  const chosen = await eva.submit('/console/import', plan, { file: ships, draft: 'false' })
  const box = /name="only" value="(\d+-e2)"/.exec(chosen.text)?.[1] ?? ''
  await eva.submit(chosen, 'Import', { file: ships, whole: 'chosen', only: [box] })
  expect(await t.titles()).toEqual(['Welcome', 'Ships', 'Closing'])
  const whole = await eva.submit('/console/import', plan, { file, draft: 'false' })
  await eva.submit(whole, 'Import', { file, whole: 'whole' })
  expect(await t.titles()).toEqual(['Welcome', '(Ships)', '(Closing)'])
})

test('if the program changes before a plan is applied, the present plan is shown with the choice that was made', async () => {
  await using t = await startImporting()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats, rows.closing))
  const file = csv(rows.opening.replace('Hall', 'Garden'), rows.boats.replace('Pier', 'Garden'), rows.closing)
  const planned = await eva.submit('/console/import', plan, { file, draft: 'false' })
  await t.importAll(csv(rows.opening, rows.boats, rows.closing.replace('Closing', 'Farewell')))
  const stale = await eva.submit(planned, 'Import', { file, only: ['2-e2'] })
  expect([stale.status, stale.words]).toEqual([
    409,
    expect.stringContaining('The program has changed since you saw this plan.'),
  ])
  const ticked = [...stale.text.matchAll(/name="only" value="([^"]*)"( checked)?/g)].map(([, value, on]) => [
    value,
    !!on,
  ])
  expect(ticked).toEqual([
    ['1-e1', false],
    ['2-e2', true],
    ['3-e3', false],
  ])
  await eva.submit(stale, 'Import', { file })
  const { events, rooms } = (await t.client.getSchedule({})).schedule
  const roomOf = (id: string | null) => rooms.find((room) => room.id === id)?.name
  expect(events.map(({ title, room_id }) => [title, roomOf(room_id)])).toEqual([
    ['Opening', 'Hall'],
    ['Boats', 'Garden'],
    ['Farewell', 'Hall'],
  ])
})

test('if another organizer edits a session before a plan is applied, nothing is imported, and the plan says so', async () => {
  await using t = await startImporting()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats))
  const ben = await signInToConsole(t, 'ben@summit.example', ['editor'])
  const file = csv(rows.opening.replace('Hall', 'Garden'), rows.boats)
  for (const draft of ['true', 'false']) {
    const planned = await eva.submit('/console/import', plan, { file, draft })
    expect(planned.words).toContain('room “Hall” → “Garden”')
    await ben.submit('/console/sessions/1', 'Save', { title: `Welcome ${draft}` })
    const stale = await eva.submit(planned, 'Import', { file })
    expect([stale.status, stale.words]).toEqual([
      409,
      expect.stringContaining('The program has changed since you saw this plan. Nothing has been imported.'),
    ])
    // A draft is compared with what editors see.
    expect(stale.words).toContain(draft === 'true' ? 'title “Welcome true” → “Opening”' : 'Has changes that are not')
  }
  expect(await t.titles()).toEqual(['Opening', 'Boats'])
  const { revisions } = await eva.client.listRevisions({ offset: 0, limit: 10, kind: 'import' })
  expect(revisions).toHaveLength(1)
})

test('a file that is too large to be read leaves the choice that attendees see nothing yet', async () => {
  await using t = await startImporting()
  const file = new File(['x'.repeat(21 * 2 ** 20)], 'program.csv')
  const failed = await t.eva.submit('/console/import', plan, { file, draft: 'false' })
  expect([failed.status, failed.words]).toEqual([413, expect.stringContaining('A file may have at most 20 MB.')])
  expect(failed.text).toMatch(/name="draft" value="true" checked/)
})

test('more sessions than a form can name are imported together', async () => {
  await using t = await startImporting()
  const many = Array.from({ length: 1_001 }, (_, index) => {
    const [day, hour] = [String(1 + (index % 28)).padStart(2, '0'), String(8 + (index % 12)).padStart(2, '0')]
    return `${index},Talk ${index},2030-05-${day} ${hour}:00,2030-05-${day} ${hour}:30,Room ${index},`
  })
  const file = csv(...many)
  const planned = await t.eva.submit('/console/import', plan, { file, draft: 'false' })
  expect(planned.words).toContain('1,001 new')
  expect(planned.words).toContain('These are more than 900, so they can only be imported together.')
  expect(planned.text).not.toContain('name="only"')
  const done = await t.eva.submit(planned, 'Import', { file })
  expect(done.path).toContain('imported=1001')
  expect(await t.titles()).toHaveLength(1_001)
})

test('of a thousand participants the first of each group are shown, with exact numbers', async () => {
  await using t = await startAppWithKeys('members')
  await addConference(t)
  const dora = await signInToConsole(t, 'dora@summit.example', ['desk'])
  const lines = Array.from({ length: 1_000 }, (_, index) => `p${index}@x.example,Pat,Number ${index},`)
  const file = toFile(['E-Mail,First name,Last name', ...lines], 'people.csv')
  const planned = await dora.submit('/console/import/participants', plan, { file })
  expect(planned.words).toContain('1,000 new')
  expect(planned.words).toContain('and 800 more')
  expect(planned.text).not.toContain('name="only"')
  expect(planned.text.length).toBeLessThan(120_000)
})
