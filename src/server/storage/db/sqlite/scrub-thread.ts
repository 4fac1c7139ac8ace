import { statSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { connect } from './connection.ts'
import { isSyncError } from './errors.ts'
import { maxRebuiltBytes, type ScrubInput, syncErrorCode } from './scrub.ts'

// A thread of its own, because it takes seconds.

/** How long to wait for other connections, each time. */
const busyTimeoutMs = 5_000

/** How long one attempt to empty the log waits for readers: all writes wait with it. */
const attemptMs = 100

/** The pause between two attempts, in which others write. */
const pauseMs = 100

const { file } = workerData as ScrubInput
const connection = connect(file, 'write')

/** @throws when somebody reads for long */
function emptyLog(): void {
  const deadline = performance.now() + busyTimeoutMs
  connection.exec(`pragma busy_timeout = ${attemptMs}`)
  for (;;) {
    // Most of the log first while others write: `truncate` holds the lock of the writer.
    connection.exec('pragma wal_checkpoint(passive)')
    // Fails at once while the server makes a checkpoint of its own.
    if (connection.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0) return
    if (performance.now() > deadline)
      throw new Error('The log of the database is in use; a later checkpoint overwrites it.')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
}

try {
  // A long read would prevent it after the rebuild, too, so that each attempt would rebuild the database in vain.
  emptyLog()
  // Overwriting what is deleted leaves copies of rows that were moved between pages before.
  if (statSync(file).size <= maxRebuiltBytes) {
    connection.exec(`pragma busy_timeout = ${busyTimeoutMs}; pragma temp_store = file; vacuum`)
    emptyLog()
  }
} catch (error) {
  if (isSyncError(error)) process.exit(syncErrorCode)
  throw error
} finally {
  connection.close()
}
