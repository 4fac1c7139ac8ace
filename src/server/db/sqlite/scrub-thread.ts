import { statSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { connect } from './connection.ts'
import { isSyncError } from './errors.ts'
import { maxRebuiltBytes, type ScrubInput, syncErrorCode } from './scrub.ts'

// A thread of its own, because it takes seconds.

/** How long to wait for other connections, each time. */
const busyTimeoutMs = 5_000

const { file } = workerData as ScrubInput
const connection = connect(file, 'write')
try {
  connection.exec(`pragma busy_timeout = ${busyTimeoutMs}; pragma temp_store = file`)
  // Overwriting what is deleted leaves copies of rows that were moved between pages before.
  if (statSync(file).size <= maxRebuiltBytes) connection.exec('vacuum')
  // Most of the log first while others write: `truncate` holds the lock of the writer.
  connection.exec('pragma wal_checkpoint(passive)')
  const checkpoint = connection.prepare('pragma wal_checkpoint(truncate)').get()
  if (checkpoint?.busy !== 0) throw new Error('The log of the database is in use; a later checkpoint overwrites it.')
} catch (error) {
  if (isSyncError(error)) process.exit(syncErrorCode)
  throw error
} finally {
  connection.close()
}
