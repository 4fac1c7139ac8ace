import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Larger databases are not rebuilt: writes would wait for longer than they can. 64 MiB take about a second. */
export const maxRebuiltBytes = 128 * 1024 * 1024

/** The exit code of the thread after a failed sync (EX_IOERR, sysexits(3)). */
export const syncErrorCode = 74

/** The input of the thread. */
export interface ScrubInput {
  file: string
}

const program = new URL('scrub-thread.ts', import.meta.url)

/**
 * Rebuilds a database in use, unless it is large, and empties its log, so that nothing is left of deleted values.
 * @param onSyncError see `GroupCommit`
 * @throws when others have used it for too long
 */
export async function scrub(file: string, onSyncError: (error: unknown) => void): Promise<void> {
  const worker = new Worker(program, { workerData: { file } satisfies ScrubInput, execArgv: [] })
  const [code] = await once(worker, 'exit')
  if (code === 0) return
  const error = new Error(
    `Scrubbing ${file} failed: its thread exited with code ${code}. Deleted values may remain in it.`,
  )
  if (code === syncErrorCode) onSyncError(error)
  throw error
}
