import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummit } from '../../command.ts'
import { filesBelowIfAny } from '../../files-below.ts'
import * as make from '../../make.ts'
import { FaultyDisk, faultyDiskMissing } from '../faulty-disk.ts'
import { copyBackups, objectsIn, startSummitWithBackups, textFile } from './summit-with-backups.ts'

if (faultyDiskMissing) console.log(`skipped tests of backups on a full disk: ${faultyDiskMissing}`)

/** Bytes left: less than the database takes. */
const spaces = [0, 500, 50_000, 100_000]

const sentence = /^The (disk|database|folder) [^\n]* (is full|no space left)[^\n]*\.\n$/

test.skipIf(faultyDiskMissing).each([
  ['the place of the backups', '/backups/'],
  ['the scratch folder', '/backup/'],
])(
  'a backup for which the disk of %s is too small fails in one sentence and leaves nothing; the next one succeeds',
  async (_, path) => {
    using disk = new FaultyDisk()
    await using summit = await startSummitWithBackups()
    const { to, settings, t } = summit
    const run = () => runSummit(['backup', to], { ...settings, ...disk.settings })
    for (const [n, space] of spaces.entries()) {
      const file = textFile(`file ${n} ${'x'.repeat(5_000)}`)
      await make.topic(t, { name: `With ${space} bytes left`, uploaded_files: [file] })
      disk.leaveSpace(space, path)
      const { code, err } = await run()
      expect([code, err], `${space}`).toEqual([1, expect.stringMatching(sentence)])
      expect(await readdir(join(t.dataDir, 'backup'))).toEqual([])
      expect((await objectsIn(to)).filter((name) => name.endsWith('manifest.json'))).toEqual([])
      expect(await filesBelowIfAny(join(to, 'staging'))).toEqual([])
    }
    disk.freeSpace()
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(await objectsIn(to)).toHaveLength(3 + spaces.length + 3)
    expect(await summit.backup('verify')).toMatchObject({ code: 0, err: '' })
  },
)

test.skipIf(faultyDiskMissing)(
  'a restore for which the disk is too small fails in one sentence, and is completed by the same command',
  async () => {
    using disk = new FaultyDisk()
    await using summit = await startSummitWithBackups()
    await summit.backup()
    for (const [path, limits] of [
      ['/restored/', [...spaces, 200_000]],
      ['/restored/summit.db', [...spaces, 200_000]],
      ['/restored/blobs/', [0, 3, 10]],
      ['/restored/backup/', spaces],
    ] as const) {
      await using copy = await copyBackups(summit)
      const run = () => runSummit(['restore', copy.to, '--apply'], { ...copy.settings, ...disk.settings })
      for (const space of limits) {
        disk.leaveSpace(space, path)
        const { code, err } = await run()
        expect([code, err], `${space} bytes for ${path}`).toEqual([1, expect.stringMatching(sentence)])
      }
      disk.freeSpace()
      expect(await run(), path).toMatchObject({ code: 0, err: '' })
      expect(await runSummit(['check'], copy.settings), path).toMatchObject({ code: 0, err: '' })
    }
  },
)
