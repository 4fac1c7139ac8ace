import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { summitHere } from '../../test/command.ts'
import * as make from '../../test/make.ts'

// An import is taken back whole, or not at all.

const first = 'Session ID,Title,Start,Room\nS1,Opening,2030-05-14 09:00,Main\nS2,Boats,2030-05-14 10:00,Main\n'
const second = first
  .replace('Boats,2030-05-14 10:00', 'Small boats,2030-05-14 11:00')
  .concat('S3,Lunch,2030-05-14 12:00,Main\n')

/** Imports a program from this text. */
async function importProgram(t: TestApp, text: string) {
  const file = join(t.dataDir, 'program.csv')
  await writeFile(file, text)
  return summitHere(['import', 'program', file, '--apply'], t.settings)
}

const undo = (t: TestApp, ...args: string[]) => summitHere(['import', 'undo', ...args], t.settings)

const seen = async (t: TestApp) => JSON.stringify(await t.client.listEvents({ offset: 0, limit: 100 }))

test('an organizer takes back an import: what it created is gone, what it changed is as before', async () => {
  await using t = await testApp()
  await importProgram(t, first)
  const before = await seen(t)
  expect((await importProgram(t, second)).out).toContain(
    'Done. To take this import back: npm run summit -- import undo 2\n',
  )
  const after = await seen(t)
  expect(after).not.toBe(before)
  const plan = await undo(t, '2')
  expect([plan.code, plan.err]).toEqual([0, ''])
  expect(plan.out).toContain('  removed    session 3 “Lunch”\n  restored   session 2 “Small boats”\n')
  expect(plan.out).toContain('Nothing was changed. Run the same command with --apply')
  expect(await seen(t)).toBe(after)
  expect(await undo(t, '2', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).toBe(before)
  // The one before it, which the later one had changed, can be taken back now.
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(await seen(t))).toEqual({ events: [] })
  const list = await summitHere(['import', 'list'], t.settings)
  expect(list.out).toMatch(/^ +2 {2}\S+ \S+ {2}import program {7}program\.csv {2}taken back .*\n +1 {2}.*\n$/)
  expect((await undo(t, '1')).err).toBe('Import 1 has already been taken back.\n')
  expect((await undo(t, '9')).err).toBe('There is no import 9. To list them: npm run summit -- import list\n')
})

test('an import of which something was changed since is only taken back without that', async () => {
  await using t = await testApp()
  await importProgram(t, first)
  await importProgram(t, second)
  await t.client.addFeedback({ participant_id: 1, program_id: 1, comments: 'Fine' })
  const { code, out, err } = await undo(t, '1', '--apply')
  expect([code, err]).toEqual([
    1,
    'Nothing was changed: 2 of the records of this import were changed since. To leave those as they are and take back ' +
      'the others, add --keep-changed.\n',
  ])
  expect(out).toContain('  changed since session 1 “Opening”: it has feedback\n')
  expect(out).toContain('  changed since session 2 “Small boats”: by import 2; take that back first\n')
  expect(await undo(t, '1', '--apply', '--keep-changed')).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(await seen(t)).events).toHaveLength(3)
})

test('an import of participants is taken back, but not those who have posted since', async () => {
  await using t = await testApp()
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const file = join(t.dataDir, 'people.csv')
  await writeFile(file, 'Email,First name,Last name\nana@x.org,Anna,Cruz\nlars@x.org,Lars,Holm\nmaja@x.org,Maja,Lind\n')
  await summitHere(['import', 'participants', file, '--apply'], t.settings)
  const lars = ana + 1
  await make.topic(t, { created_by: lars })
  // Maja only adds a file to it.
  const notes = { name: 'notes.txt', data: Buffer.from('x').toString('base64') }
  await t.client.updateTopic({ topic_id: 1, name: 'Lunch', updated_by: lars + 1, uploaded_files: [notes] })
  const names = async () =>
    (await t.client.listParticipants({ offset: 0, limit: 9 })).participants.map(({ full_name }) => full_name)
  expect(await names()).toEqual(['Anna Cruz', 'Lars Holm', 'Maja Lind'])
  expect((await undo(t, '1', '--apply')).out).toContain(
    `participant ${lars} Lars Holm: they have posted, liked, attached a file or given feedback\n`,
  )
  expect(await undo(t, '1', '--apply', '--keep-changed')).toMatchObject({ code: 0, err: '' })
  expect(await names()).toEqual(['Ana Cruz', 'Lars Holm', 'Maja Lind'])
})

test('an import of images is taken back, with the bytes that nothing refers to', async () => {
  await using t = await testApp()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  await importProgram(t, first)
  await make.participant(t)
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } }).png()
  await picture.toFile(join(folder.path, 'Ana Cruz.png'))
  await picture.toFile(join(folder.path, 'Boats.banner.png'))
  await picture.toFile(join(folder.path, 'Boats.photo.png'))
  expect((await summitHere(['import', 'images', folder.path, '--apply'], t.settings)).out).toContain('import undo 2\n')
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 1 })
  expect(await undo(t, '2', '--apply')).toMatchObject({ code: 0, err: '' })
  expect((await t.client.getEvent({ id: 2 })).programs.banner).toBe('')
  expect((await t.client.listParticipants({ offset: 0, limit: 1 })).participants[0]?.photo).toBe(null)
  expect(await make.blobs(t)).toEqual([])
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 0, err: '' })
})
