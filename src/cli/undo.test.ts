import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { importProgram, undo } from './undo.fixtures.ts'

// An import is undone as a whole, or not at all.

const first = 'Session ID,Title,Start,Room\nS1,Opening,2030-05-14 09:00,Main\nS2,Boats,2030-05-14 10:00,Main\n'
const second = first
  .replace('Boats,2030-05-14 10:00', 'Small boats,2030-05-14 11:00')
  .concat('S3,Lunch,2030-05-14 12:00,Main\n')

const seen = async (t: TestApp) => JSON.stringify(await t.client.listEvents({ offset: 0, limit: 100 }))

test('an organizer undoes an import: what it created is gone, what it changed is as before', async () => {
  await using t = await startTestApp()
  await importProgram(t, first)
  const before = await seen(t)
  expect((await importProgram(t, second)).out).toContain('Done. To undo this import: npm run summit -- import undo 2\n')
  const after = await seen(t)
  expect(after).not.toBe(before)
  const plan = await undo(t, '2')
  expect([plan.code, plan.err]).toEqual([0, ''])
  expect(plan.out).toContain(
    '  removed    session 3 “Lunch”\n  restored   session 2 “Small boats”: title “Small boats” → “Boats”, ' +
      'start “2030-05-14 11:00” → “2030-05-14 10:00”, end “2030-05-14 11:00” → “2030-05-14 10:00”\n',
  )
  expect(plan.out).toContain('Nothing was changed. Run the same command with --apply')
  expect(await seen(t)).toBe(after)
  expect(await undo(t, '2', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).toBe(before)
  // The one before it, which the later one had changed, can be undone now.
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(await seen(t))).toEqual({ events: [] })
  const list = await runSummitInProcess(['import', 'list'], t.settings)
  expect(list.out.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'now')).toBe(
    '    4  now  import undo          of 1  3 records\n' +
      '    3  now  import undo          of 2  2 records\n' +
      '    2  now  import program       program.csv  undone now\n' +
      '    1  now  import program       program.csv  undone now\n',
  )
  expect((await undo(t, '1')).err).toBe('Import 1 has already been undone.\n')
  expect((await undo(t, '9')).err).toBe('There is no import 9. To list them: npm run summit -- import list\n')
})

test('an undo is undone, and its sessions return with their rooms', async () => {
  await using t = await startTestApp()
  await importProgram(t, first)
  const before = await seen(t)
  const schedule = async () => JSON.stringify(await t.client.getSchedule({}))
  const scheduleBefore = await schedule()
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(await seen(t))).toEqual({ events: [] })
  const plan = await undo(t, '2', '--apply')
  expect(plan).toMatchObject({ code: 0, err: '' })
  expect(plan.out).toContain('  returned   session 1 “Opening”\n')
  expect(plan.out).toContain('  returned   room 1 “Main”\n')
  expect(await seen(t)).toBe(before)
  expect(await schedule()).toBe(scheduleBefore)
})

test('an import of which something was changed since is only undone without that', async () => {
  await using t = await startTestApp()
  await importProgram(t, first)
  await importProgram(t, second)
  await t.client.addFeedback({ participant_id: 1, program_id: 1, comments: 'Fine' })
  const { code, out, err } = await undo(t, '1', '--apply')
  expect([code, err]).toEqual([
    1,
    'Nothing was changed, because 2 records of this import cannot be undone (listed as blocked). To leave such records as ' +
      'they are and undo the others, add --keep-changed.\n',
  ])
  expect(out).toContain('  blocked    session 1 “Opening”: it has feedback\n')
  expect(out).toContain('  blocked    session 2 “Small boats”: changed by revision 2; undo that one first\n')
  const before = await seen(t)
  // Nothing but these.
  expect(await undo(t, '1', '--apply', '--keep-changed')).toMatchObject({ code: 1 })
  expect(await seen(t)).toBe(before)
  expect(await undo(t, '2', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await undo(t, '1', '--apply', '--keep-changed')).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(await seen(t)).events).toMatchObject([{ title: 'Opening' }])
})

test('an import of a session that somebody has starred, or of somebody who has starred one, is not undone', async () => {
  await using t = await startTestApp()
  await importProgram(t, first)
  await writeFile(join(t.dataDir, 'people.csv'), 'First name,Last name,Employee no\nAna,Cruz,7\n')
  await runSummitInProcess(['import', 'participants', join(t.dataDir, 'people.csv'), '--apply'], t.settings)
  await make.star(t, { participant: 1, event: 1 })
  const ofProgram = await undo(t, '1', '--apply')
  expect([ofProgram.code, ofProgram.out]).toEqual([1, expect.stringContaining('session 1 “Opening”: it has stars\n')])
  const ofPeople = await undo(t, '2', '--apply')
  expect([ofPeople.code, ofPeople.out]).toEqual([
    1,
    expect.stringContaining(': they have written or starred something\n'),
  ])
  expect(await undo(t, '1', '--apply', '--keep-changed')).toMatchObject({ code: 0, err: '' })
  expect((await t.client.listEvents({ offset: 0, limit: 10 })).events.map(({ title }) => title)).toEqual(['Opening'])
})

test('an import of participants is neither applied nor undone while the ledger cannot be written', async () => {
  await using t = await startTestApp()
  const ledger = join(t.dataDir, 'ledger')
  const file = join(t.dataDir, 'people.csv')
  const importPeople = async (email: string) => {
    await writeFile(file, `First name,Last name,Employee no,Email\nAna,Cruz,7,${email}\n`)
    return runSummitInProcess(['import', 'participants', file, '--apply', '--same-person'], t.settings)
  }
  const people = () => t.client.listParticipants({ offset: 0, limit: 10 })
  expect(await importPeople('ana@x.org')).toMatchObject({ code: 0 })
  const before = await people()
  await rm(ledger, { force: true })
  await mkdir(ledger)
  const refused = { code: 1, err: `Nothing was changed, because ${ledger} cannot be written: it is a folder.\n` }
  expect(await undo(t, '1', '--apply')).toMatchObject(refused)
  expect(await importPeople('other@x.org')).toMatchObject(refused)
  expect(await people()).toEqual(before)
})

test('a room stays while a session refers to it, and while another import that is undone would return a session to it', async () => {
  await using t = await startTestApp()
  await importProgram(t, first)
  await importProgram(t, first.replaceAll(',Main', ',Garden').replace('Opening', 'Grand opening'))
  const rooms = async () => (await runSummitInProcess(['export', 'rooms', '--format', 'json'], t.settings)).out
  const { out } = await undo(t, '1', '--apply', '--keep-changed')
  expect(out).toContain('  stays      room 1 “Main”: session ')
  expect(await rooms()).toContain('"Main"')
  expect(await undo(t, '2', '--apply')).toMatchObject({ code: 0, err: '' })
  const { events } = await t.client.listEvents({ offset: 0, limit: 10 })
  expect(events.map(({ title, location }) => [title, location.name])).toEqual([
    ['Opening', 'Main'],
    ['Boats', 'Main'],
  ])
  expect(await rooms()).not.toContain('"Garden"')
})
