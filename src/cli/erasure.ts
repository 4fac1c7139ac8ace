import type { Config } from '../server/config/config.ts'
import type { Context } from '../server/context.ts'
import { OperatorError } from '../server/core/errors.ts'
import { rebuildIfDue, rebuildMinutes } from '../server/domains/privacy/finish-erasures.ts'
import { assertCanAppend, ledgerFileIn } from '../server/log/ledger/ledger-file.ts'
import { CannotOpen } from '../server/storage/db/cannot-open.ts'
import { lockForServing } from '../server/storage/db/locks.ts'
import { reasonOf } from './reason.ts'

/** @throws OperatorError before a deletion that a restored backup would undo */
export async function assertLedgerWritable({ dataDir }: Config): Promise<void> {
  await assertCanAppend(dataDir).catch((cause: unknown) => {
    throw new OperatorError(
      `Nothing was changed, because ${ledgerFileIn(dataDir)} cannot be written: ${reasonOf(cause)}.`,
      { cause },
    )
  })
}

/**
 * Rebuilds the file of the database, in which copies of deleted values are left, or says that the server will: there,
 * writes would wait for it now. A large one is not rebuilt.
 */
export async function rebuildOrSay(ctx: Context): Promise<void> {
  const unlock = tryLockForServing(ctx.config)
  if (unlock === undefined) {
    if (await ctx.database.isRebuilt())
      console.log(`\nThe server rebuilds the file of the database within ${rebuildMinutes} minutes.`)
    return
  }
  try {
    await rebuildIfDue(ctx, true)
  } finally {
    unlock()
  }
}

/** @returns undefined if a server is running */
function tryLockForServing({ database }: Config): (() => void) | undefined {
  try {
    return lockForServing(database)
  } catch (error) {
    if (error instanceof CannotOpen) return undefined
    throw error
  }
}
