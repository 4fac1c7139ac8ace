import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { hasCode, messageOf } from '../../../core/errors.ts'
import { CannotOpen } from '../cannot-open.ts'
import { databaseFile } from './open.ts'

const program = new URL('vacuum-thread.ts', import.meta.url)

/** Short enough that each sync writes little, so that the commits of a server hardly wait for it. */
const syncEveryMs = 10

/**
 * Copies one state of the database in `dir` to a new file, while a server may be writing to it. The secrets, which
 * belong to the location and not to the summit, are left out.
 * @throws CannotOpen when the database is damaged or the disk is full
 */
export async function copySnapshot(dir: string, file: string): Promise<void> {
  await copyDatabaseFile(dir, file)
  removeSecrets(file)
}

/**
 * Like {@link copySnapshot}, with the secrets. `vacuum into` reads a single snapshot; SQLite's backup API starts again
 * whenever another process writes.
 * @throws CannotOpen when the database is damaged or the disk is full
 */
export async function copyDatabaseFile(dir: string, file: string): Promise<void> {
  const closing = new AbortController()
  const syncing = syncAsItGrows(file, closing.signal)
  try {
    const worker = new Worker(program, { workerData: { source: databaseFile(dir), target: file }, execArgv: [] })
    const [code] = await once(worker, 'exit')
    if (code !== 0) throw new Error(`the copying thread exited with code ${code}`)
  } catch (error) {
    const reason = messageOf(error)
    throw new CannotOpen(`The database in ${dir} cannot be copied: ${reason}`, { cause: error })
  } finally {
    closing.abort()
    await syncing
  }
}

async function syncAsItGrows(file: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(syncEveryMs, undefined, { signal }).catch(() => {})
    try {
      await using handle = await open(file, 'r+')
      await handle.datasync()
    } catch (error) {
      // Not created yet. Any other error occurs again where the file is used.
      if (!hasCode(error, 'ENOENT')) return
    }
  }
}

function removeSecrets(file: string): void {
  const connection = new DatabaseSync(file)
  try {
    const hasTable = connection.prepare("select 1 from sqlite_master where name = 'secret'").get() !== undefined
    // Overwrites the deleted rows, which would otherwise remain in free pages.
    if (hasTable) connection.exec('pragma secure_delete = on; delete from secret')
  } finally {
    connection.close()
  }
}
