import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../test/temporary-folder.ts'
import { openBackupTarget } from '../blobs/backup-target.ts'
import { BackupStore } from './backup-store.ts'
import { writeManifest } from './manifest.ts'
import { removeExpired } from './remove-expired.ts'

const start = Date.UTC(2030, 4, 1)
const [older, newer] = ['20300501t001000z-00000000', '20300501t002000z-00000000'] as const

/** Two backups of an empty summit in one hour, of which the older one has expired. */
async function setUpBackups() {
  const folder = await createTemporaryFolder()
  const blobs = await openBackupTarget({ kind: 'folder', dir: folder.path }, folder.path)
  const store = new BackupStore(blobs, folder.path, undefined)
  for (const [index, id] of [older, newer].entries())
    await writeManifest(store, {
      ...{
        format: 1,
        id,
        summit: '',
        createdAt: start + index * 600_000,
        durationMs: 0,
        isScheduled: true,
        version: '',
      },
      ...{ migrations: [], tables: {}, database: [], files: [], missing: [], pages: 0 },
    })
  return { dir: folder.path, blobs, store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('of two backups in an hour, the older one is removed', async () => {
  await using backups = await setUpBackups()
  expect(await removeExpired(backups.store)).toEqual({ expired: [older], unreadable: [] })
  expect([...(await backups.store.list()).keys()]).toEqual([`${newer}/manifest.json`])
})

test('nothing is removed if a manifest is damaged after the backups were listed', async () => {
  await using backups = await setUpBackups()
  const damage = () => truncate(join(backups.dir, 'backups', newer, 'manifest.json'), 10)
  const store = new (class extends BackupStore {
    override async *read(name: string) {
      yield* super.read(name)
      if (name.startsWith(newer)) await damage()
    }
  })(backups.blobs, backups.dir, undefined)
  expect(await removeExpired(store)).toEqual({ expired: [], unreadable: [newer] })
  expect([...(await store.list()).keys()].sort()).toEqual([`${older}/manifest.json`, `${newer}/manifest.json`])
})
