import { mkdtempDisposable, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { isKnownEntry } from '../server/log/ledger/entries.ts'
import { readLedgerFile } from '../server/log/ledger/ledger-file.ts'
import { importProgram, undo } from './undo.fixtures.ts'

// Undoing what cannot be undone as a whole, or has stored pictures.

const first = 'Session ID,Title,Start,Room\nS1,Opening,2030-05-14 09:00,Main\nS2,Boats,2030-05-14 10:00,Main\n'

test('the plan of an undo says which sessions it cancels and which it brings back', async () => {
  await using t = await startTestApp()
  await importProgram(t, first)
  await importProgram(t, first.replace(/S2.*\n/, ''))
  await importProgram(t, first)
  expect((await undo(t, '3')).out).toContain('  restored   session 2 “Boats”: cancelled\n')
  await undo(t, '3', '--apply')
  expect((await undo(t, '2')).out).toContain('  restored   session 2 “Boats”: no longer cancelled\n')
})

test('an import of participants is undone, but not those who have posted since', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const file = join(t.dataDir, 'people.csv')
  await writeFile(file, 'Email,First name,Last name\nana@x.org,Anna,Cruz\nlars@x.org,Lars,Holm\nmaja@x.org,Maja,Lind\n')
  await runSummitInProcess(['import', 'participants', file, '--apply'], t.settings)
  const lars = ana + 1
  await make.topic(t, { created_by: lars })
  // Maja only adds a file to it.
  const notes = { name: 'notes.txt', data: Buffer.from('x').toString('base64') }
  await t.client.updateTopic({ topic_id: 1, name: 'Lunch', updated_by: lars + 1, uploaded_files: [notes] })
  const names = async () =>
    (await t.client.listParticipants({ offset: 0, limit: 9 })).participants.map(({ full_name }) => full_name)
  expect(await names()).toEqual(['Anna Cruz', 'Lars Holm', 'Maja Lind'])
  expect((await undo(t, '1')).out).toContain(`  restored   participant ${ana} Anna Cruz: first name “Anna” → “Ana”\n`)
  expect((await undo(t, '1', '--apply')).out).toContain(
    `participant ${lars} Lars Holm: they have written or starred something\n`,
  )
  expect(await undo(t, '1', '--apply', '--keep-changed')).toMatchObject({ code: 0, err: '' })
  expect(await names()).toEqual(['Ana Cruz', 'Lars Holm', 'Maja Lind'])
})

test('an import of very many participants and its undo succeed, and the ledger has all of it', async () => {
  await using t = await startTestApp()
  // SQLite takes at most 32,766 parameters in a statement. PostgreSQL takes more, and would need many minutes.
  const count = 'DATABASE_URL' in t.settings ? 3_000 : 33_000
  const file = join(t.dataDir, 'people.csv')
  const rows = Array.from({ length: count }, (_, n) => `p${n}@x.org,Ana,Cruz ${n}\n`).join('')
  await writeFile(file, `Email,First name,Last name\n${rows}`)
  const run = (...args: string[]) => runSummitInProcess(args, t.settings)
  expect(await run('import', 'participants', file, '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await run('import', 'participants', file, '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 0, err: '' })
  const entries = ((await readLedgerFile(t.dataDir)) ?? []).filter(isKnownEntry)
  // Entries that the command is still adding may also be added by the server.
  const recordsOf = (kind: string) => new Set(entries.flatMap((entry) => (entry.kind === kind ? [entry.record] : [])))
  expect([recordsOf('login.changed').size, recordsOf('participant.deleted').size]).toEqual([count, count])
  expect((await t.client.listParticipants({ offset: 0, limit: 1 })).participants).toEqual([])
})

test('an import of images is undone, with the bytes that nothing refers to', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await importProgram(t, first)
  await make.participant(t)
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } }).png()
  await picture.toFile(join(folder.path, 'Ana Cruz.png'))
  await picture.toFile(join(folder.path, 'Boats.banner.png'))
  await picture.toFile(join(folder.path, 'Boats.photo.png'))
  expect((await runSummitInProcess(['import', 'images', folder.path, '--apply'], t.settings)).out).toContain(
    'import undo 2\n',
  )
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 1 })
  const plan = await undo(t, '2')
  expect(plan.out).toContain('  restored   session 2 “Boats”: banner, photo\n')
  expect(plan.out).toContain('  restored   participant 1 Ana Cruz: photo removed\n')
  expect(await undo(t, '2', '--apply')).toMatchObject({ code: 0, err: '' })
  expect((await t.client.getEvent({ id: 2 })).programs.banner).toBe('')
  expect((await t.client.listParticipants({ offset: 0, limit: 1 })).participants[0]?.photo).toBe(null)
  // The undo can be undone, except for participants.
  expect(await make.blobs(t)).toEqual([expect.stringContaining('/program/2/'), expect.stringContaining('/program/2/')])
  const undone = await undo(t, '3')
  expect(undone.out).toContain('  restored   session 2 “Boats”: banner, photo\n')
  expect(undone.out).not.toContain('participant')
  expect(await undo(t, '1', '--apply')).toMatchObject({ code: 0, err: '' })
})

test('a picture that an import replaced survives a sweep until that import is undone', async () => {
  await using t = await startTestApp()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  await importProgram(t, first)
  const ana = await make.participant(t)
  const importPictures = async (background: string) => {
    for (const name of ['Ana Cruz', 'Boats.banner'])
      await sharp({ create: { width: 8, height: 8, channels: 3, background } }).toFile(join(folder.path, `${name}.png`))
    await runSummitInProcess(['import', 'images', folder.path, '--apply'], t.settings)
  }
  const stored = join(t.dataDir, 'blobs', 'kept')
  const sweep = async () => {
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
    for (const entry of await readdir(stored, { recursive: true }))
      await utimes(join(stored, entry), yesterday, yesterday)
    return (await runSummitInProcess(['sweep', '--apply'], t.settings)).out
  }
  const check = () => runSummitInProcess(['check'], t.settings)
  await importPictures('#111')
  const before = await t.client.getEvent({ id: 2 })
  await importPictures('#222')
  await importPictures('#111')
  expect(await sweep()).toContain('0 removed')
  expect(await undo(t, '4', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await undo(t, '3', '--apply')).toMatchObject({ code: 0, err: '' })
  expect(await t.client.getEvent({ id: 2 })).toEqual(before)
  expect(await check()).toMatchObject({ code: 0, err: '' })
  // The banner that both undos have taken back may return, but no photo.
  expect(await make.blobs(t)).toHaveLength(3)

  const { photo = '' } = (await t.client.listParticipants({ offset: 0, limit: 1 })).participants[0] ?? {}
  await importPictures('#333')
  await t.client.updateParticipant({ participantId: ana, photo: '' })
  expect((await check()).out).toContain('5 stored files\nNothing is damaged')
  const [former = ''] = (await make.blobs(t)).filter((name) => name.endsWith(photo?.replace('api/', '') ?? ''))
  const bytes = await readFile(former)
  await rm(former)
  expect((await check()).out).toContain(
    'picture that undoing revision 7 restores: the stored file participants/1/photo/',
  )
  await writeFile(former, bytes)
  expect(await undo(t, '7', '--apply', '--keep-changed')).toMatchObject({ code: 0, err: '' })
  // Along with the photo that a client has cleared.
  expect(await make.blobs(t)).toHaveLength(3)
  expect(await sweep()).toContain('0 removed')
})
