import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { openBackupTarget } from '../../storage/blobs/backup-target.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import { BackupStore } from './backup-store.ts'
import { type Manifest, writeManifest } from './manifest.ts'
import { removeExpired } from './remove-expired.ts'

const [older, newer] = ['20300501t001000z-00000000', '20300501t002000z-00000000'] as const

const now = Date.parse('2030-05-01T00:30:00Z')

/** The manifest of a backup of an empty summit. */
const manifestOf = (id: string, createdAt: string): Manifest => ({
  format: 1,
  id,
  summit: '',
  createdAt: Date.parse(createdAt),
  durationMs: 0,
  isScheduled: true,
  version: '0.2.0',
  migrations: [],
  tables: {},
  database: [],
  files: [],
  missing: [],
  pages: 0,
})

/** A store in which the newer manifest is damaged once it has been read. */
class DamagingStore extends BackupStore {
  readonly #folder: string

  constructor(blobs: BlobStore, folder: string) {
    super(blobs, folder, undefined)
    this.#folder = folder
  }

  override async *read(name: string): AsyncGenerator<Uint8Array> {
    yield* super.read(name)
    if (name.startsWith(newer)) await truncate(join(this.#folder, 'backups', name), 10)
  }
}

/** Two backups in one hour, of which the older one has expired. */
async function setUpBackups() {
  const folder = await createTemporaryFolder()
  const blobs = await openBackupTarget({ kind: 'folder', dir: folder.path }, folder.path)
  const store = new BackupStore(blobs, folder.path, undefined)
  await writeManifest(store, manifestOf(older, '2030-05-01T00:10:00Z'))
  await writeManifest(store, manifestOf(newer, '2030-05-01T00:20:00Z'))
  return { dir: folder.path, blobs, store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('of two backups in an hour, the older one is removed', async () => {
  await using backups = await setUpBackups()
  expect(await removeExpired(backups.store, now)).toEqual({ expired: [older], unreadable: [] })
  expect([...(await backups.store.list()).keys()]).toEqual([`${newer}/manifest.json`])
})

test('nothing is removed if a manifest is damaged after the backups were listed', async () => {
  await using backups = await setUpBackups()
  const store = new DamagingStore(backups.blobs, backups.dir)
  expect(await removeExpired(store, now)).toEqual({ expired: [], unreadable: [newer] })
  expect([...(await store.list()).keys()].sort()).toEqual([`${older}/manifest.json`, `${newer}/manifest.json`])
})
