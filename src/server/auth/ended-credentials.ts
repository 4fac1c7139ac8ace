import type { Context } from '../context.ts'
import { dayMs } from '../core/time-units.ts'
import { deleteCredentials, findEnded } from './credential-store.ts'
import { longestIdleMs } from './session-limits.ts'

/** How long sessions and invitations stay once they have ended, so that operators can investigate an incident. */
const storedMs = 30 * dayMs

/** Rows deleted in one transaction. */
const batchSize = 500

/**
 * Deletes invitations, and sessions of participants, that ended long ago. The log names them by their ids, which stay.
 * @param isStopped asked between short transactions
 */
export async function deleteEndedCredentials(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const by = clock() - storedMs
  while (!isStopped()) {
    const ids = await findEnded(database.read, { by, unusedSince: by - longestIdleMs }, batchSize)
    if (ids.length === 0) return
    await database.transaction((tx) => deleteCredentials(tx, ids))
  }
}
