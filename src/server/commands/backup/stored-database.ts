import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../../core/progress.ts'
import { makeFolder } from '../../storage/data-dir/make-folder.ts'
import { NewerSchema, unknownMigrations } from '../../storage/db/migrate.ts'
import { type BackupReader, DamagedBackup } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import type { Content } from './content.ts'
import type { Manifest } from './manifest.ts'
import { findDamage, inspectSnapshot, type Snapshot } from './snapshot.ts'

/**
 * Small enough that storing or removing one does not delay a server on the same disk, and below the limits of remote
 * stores.
 */
const maxObjectBytes = 64 * 1024 ** 2

/** Stores the file of a snapshot in as many objects as it needs. */
export async function storeDatabase(
  store: BackupStore,
  id: string,
  dir: string,
  progress: Progress,
): Promise<Manifest['database']> {
  const file = join(dir, 'summit.db')
  const { size } = await stat(file)
  const objects: Manifest['database'] = []
  await progress('Storing the database', size, async (onProgress) => {
    for (let start = 0; start < size; start += maxObjectBytes) {
      const part = start === 0 ? '' : `.${String(start / maxObjectBytes + 1).padStart(4, '0')}`
      const name = `${id}/summit.db${part}`
      const bytes = createReadStream(file, { start, end: Math.min(size, start + maxObjectBytes) - 1 })
      objects.push({ name, ...(await store.write(name, count(bytes, onProgress))) })
    }
  })
  return objects
}

/**
 * Reads the database of a backup into a new folder, and compares it with the manifest.
 * @throws DamagedBackup; NewerSchema for a backup of a newer Summit
 */
export async function fetchDatabase(
  store: BackupReader,
  { database, migrations, tables, audit }: Manifest,
  dir: string,
  progress: Progress,
): Promise<Snapshot> {
  const unknown = unknownMigrations(migrations)
  if (unknown.length > 0) throw new NewerSchema(unknown)
  await makeFolder(dir)
  const size = database.reduce((sum, object) => sum + object.size, 0)
  await progress('Reading the database back', size, async (onProgress) => {
    await using file = await open(join(dir, 'summit.db'), 'wx', 0o600)
    for (const { name, ...content } of database) await appendObject(file, store, name, content, onProgress)
  })
  const snapshot = await inspectSnapshot(dir, progress)
  for (const [table, { rows, sha256 }] of Object.entries(tables)) {
    const found = snapshot.tables[table as keyof Snapshot['tables']]
    if (found?.rows !== rows || found.sha256 !== sha256)
      throw new DamagedBackup(`the rows of the table ${table} differ from the manifest`)
  }
  if (audit && (snapshot.head?.id !== audit.id || snapshot.head.hash !== audit.hash))
    throw new DamagedBackup('the newest row of the change log differs from the manifest')
  const damage = await findDamage(dir)
  if (damage !== undefined) throw new DamagedBackup(`the database is damaged: ${damage}`)
  return snapshot
}

async function appendObject(
  file: Awaited<ReturnType<typeof open>>,
  store: BackupReader,
  name: string,
  content: Content,
  onProgress: (bytes: number) => void,
): Promise<void> {
  for await (const chunk of count(store.read(name, content), onProgress)) await file.appendFile(chunk)
  await file.datasync()
}

async function* count(source: AsyncIterable<Uint8Array>, onProgress: (bytes: number) => void) {
  for await (const chunk of source) {
    yield chunk
    onProgress(chunk.byteLength)
  }
}
