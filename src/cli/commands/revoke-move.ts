import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { findNewLocation, unmarkMoved } from '../../server/lifecycle/start/moved.ts'
import { openUnmigratedDatabase } from '../../server/storage/db/open.ts'
import { withExistingSummit } from '../with-context.ts'

/** `summit move --revoke`: lets servers start again on a summit that was moved away. It copies nothing back. */
export const revokeMove = (config: Config): Promise<void> =>
  withExistingSummit(config, async () => {
    // The next start migrates it, which it refuses to do with a summit that was moved.
    const database = await openUnmigratedDatabase(config.database)
    try {
      const place = await findNewLocation(database.read)
      if (place === undefined) throw new OperatorError('This summit has not been moved.')
      await unmarkMoved(database)
      console.log(
        `Servers and commands use this copy again. It is missing everything that was written to ${place} since the move.`,
      )
    } finally {
      await database.close()
    }
  })
