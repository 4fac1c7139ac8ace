import type { Config } from '../server/config/config.ts'
import { lockForMaintenance } from '../server/storage/db/maintenance-lock.ts'

/** Runs work that removes stored files, once no backup is copying them. */
export async function withMaintenanceLock<T>({ database }: Config, work: () => Promise<T>): Promise<T> {
  const release = await lockForMaintenance(database, () =>
    console.error('Waiting for a backup, or for another command that removes files, to finish…'),
  )
  try {
    return await work()
  } finally {
    await release()
  }
}
