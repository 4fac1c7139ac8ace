import { statfs } from 'node:fs/promises'
import { bytesForCopy } from '../../server/lifecycle/start/assert-room.ts'
import { readDatabaseState } from '../../server/storage/db/database-state.ts'
import { megabytes } from '../commands/backup.ts'
import { type Check, ok, problem, warning } from './diagnosis.ts'

/** Below this, uploads soon fill the disk. */
const [fewBytes, someBytes] = [100e6, 1e9]

/** Whether there is space for new data, and for a copy of the database: a backup and an upgrade make one. */
export const checkDisk: Check = async ({ loaded: { config } }) => {
  const { dataDir, database } = config
  const stats = await statfs(dataDir).catch(() => undefined)
  if (!stats) return []
  const free = stats.bavail * stats.bsize
  const bytes = await readDatabaseState(database).then(
    (state) => state.bytes,
    () => 0,
  )
  const text = `${megabytes(free)} are free in DATA_DIR; the database takes ${megabytes(bytes)}`
  const remedy = 'Free space there: when it is full, writes fail with 5070, and backups need a copy of the database.'
  if (free < Math.max(fewBytes, bytesForCopy(bytes))) return [problem(`Only ${text}. ${remedy}`)]
  if (free < Math.max(someBytes, 3 * bytes)) return [warning(`Only ${text}. ${remedy}`)]
  return [ok(text)]
}
