import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withKeys } from '../../test/access/app-with-keys.ts'
import { createTestStorage, startTestAppOn, type TestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { setPicture } from '../server/domains/editing/editing.fixtures.ts'
import { createImage } from '../server/domains/participants/photo-changes.fixtures.ts'
import { olderProgram, recordOutput } from '../server/lifecycle/upgrade.fixtures.ts'
import { tableNames } from '../server/storage/db/tables.ts'

// An older backup is restored after a speaker was erased.

/** Erases a speaker of a summit by request. */
async function erase(summit: TestStorage, id: number) {
  await using t = await withKeys(await startTestAppOn(summit))
  const { speakers } = (await t.owner.client.getDraft({})).draft
  const revision = speakers.find((speaker) => speaker.id === String(id))?.revision ?? 0
  await t.owner.client.deleteSpeaker({ id, revision })
}

/** Restores a backup with the ledger of the summit. @returns the text of all rows, and the files */
async function restore(to: string, summit: TestStorage) {
  await using empty = await createTestStorage({ isMigrated: false })
  const ledger = ['--ledger', join(summit.dataDir, 'ledger')]
  const { code, out, err } = await runSummitInProcess(['restore', to, ...ledger, '--apply'], empty.settings)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(await runSummitInProcess(['check'], empty.settings)).toMatchObject({ code: 0, err: '' })
  await using t = await startTestAppOn(empty)
  const rows = await Promise.all(tableNames.map((table) => t.ctx.database.read.selectFrom(table).selectAll().execute()))
  const entries = await readdir(empty.dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(files.map((path) => readFile(path, 'latin1')))
  return { out, files, text: JSON.stringify(rows) + texts.join() }
}

test('a speaker who was erased is not in a restored older backup, nor are their photos', async () => {
  await using folder = await createTemporaryFolder()
  await using summit = await createTestStorage()
  {
    await using t = await withKeys(await startTestAppOn(summit))
    const { client: editor } = t.owner
    await editor.createSpeaker({ name: 'Quirina Quast', biography: 'About Quirina' })
    await editor.createSpeaker({ name: 'Ben' })
    await setPicture(t, 'speakers/1/photo', await createImage('#369'), 1)
    await setPicture(t, 'speakers/1/photo', await createImage('#963'), 3)
    await setPicture(t, 'speakers/2/photo', await createImage('#393'), 2)
    await editor.createEvent({ title: 'Boats', speaker_ids: [1, 2] })
    await editor.publish({})
  }
  expect(await runSummitInProcess(['backup', folder.path], summit.settings)).toMatchObject({ code: 0, err: '' })
  await erase(summit, 1)
  const { out, files, text } = await restore(folder.path, summit)
  expect(out).toContain('Erasures and revocations after the backup, repeated from the ledger: 1.\n')
  expect(out).not.toContain('erased since')
  expect(text).not.toMatch(/quirina|quast/i)
  expect(text).toContain('"speaker":"Ben"')
  expect(files.filter((path) => path.includes('kept'))).toEqual([expect.stringContaining('/speakers/2/photo-')])
})

test('a speaker who was erased is not in a restored backup from before speakers were records', async () => {
  using _ = recordOutput()
  await using folder = await createTemporaryFolder()
  await using summit = await olderProgram()
  expect(await runSummitInProcess(['backup', folder.path], summit.settings)).toMatchObject({ code: 0, err: '' })
  await erase(summit, 5)
  const { out, text } = await restore(folder.path, summit)
  expect(out).toContain('repeated from the ledger: 1.\n')
  expect(out).toContain('1 speaker of the program was erased since.')
  expect(text).not.toContain('Hoshikawa')
  expect(text).toContain('"speaker":"Jane Roe, PhD"')
})
