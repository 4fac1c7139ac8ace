import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { throwUncaught } from '../../server/core/throw-uncaught.ts'
import { openDatabase } from '../../server/db/open.ts'
import { findNewPlace, unmarkMoved } from '../../server/lifecycle/moved.ts'
import { commandStatementMs, withExistingSummit } from '../with-context.ts'

/** `summit move --revoke`: lets servers start again on a summit that was moved away. It copies nothing back. */
export const revokeMove = (config: Config): Promise<void> =>
  withExistingSummit(config, async () => {
    const database = await openDatabase(config.database, throwUncaught, commandStatementMs)
    try {
      const place = await findNewPlace(database.read)
      if (place === undefined) throw new OperatorError('This summit has not been moved.')
      await unmarkMoved(database)
      console.log(
        `Servers and commands use this copy again. What has been written to ${place} since the move is not in it.`,
      )
    } finally {
      await database.close()
    }
  })
