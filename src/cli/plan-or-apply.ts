import type { Config } from '../server/config/config.ts'
import { commandName } from '../server/core/command-name.ts'
import { type RecordWrite, recordRevision } from '../server/domains/revisions/record-revision.ts'
import { commandScope, type Scope, type WriteScope } from '../server/scope.ts'
import { assertLedgerWritable } from './erasure.ts'
import { withProgress } from './progress.ts'
import { withContext } from './with-context.ts'

/** The options of every import with a plan. */
export interface PlanOptions {
  /** Whether to carry the plan out; otherwise it is only printed. */
  apply?: boolean
  /** Whether to show every line of the plan. */
  all?: boolean
}

/** An import with a plan. */
export interface PlannedImport<Stored> {
  /** The command as typed, for the change log. */
  command: string
  /** The file, for the list of imports. */
  file: string
  /** Whether it may change the addresses with which participants sign in, which a restored backup must not undo. */
  changesLogins: boolean
  /** The stored data of a summit that does not exist yet. */
  nothingStored: Stored
  /** Loads the data to compare the file with. */
  loadStored(scope: Scope): Promise<Stored>
  /** Prints the plan. @returns whether it changes anything @throws OperatorError if it must not be applied */
  showPlan(stored: Stored): boolean
  /** Recomputes the plan, in the transaction of `scope`. @param stored as it was shown */
  prepare(scope: WriteScope, stored: Stored): Promise<{ writes: RecordWrite[] }>
}

/** Prints the plan of an import, and with `apply` carries it out, creating the summit if there is none. */
export async function planOrApply<Stored>(
  config: Config,
  planned: PlannedImport<Stored>,
  apply: boolean,
): Promise<void> {
  await withContext(
    config,
    async (ctx) => {
      const stored = await planned.loadStored(commandScope(ctx, ctx.database.read, planned.command))
      if (!planned.showPlan(stored)) return console.log('\nNothing to do.')
      if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to apply this plan.')
      if (planned.changesLogins) await assertLedgerWritable(config)
      const importId = await withProgress('Importing', (onProgress) =>
        ctx.database.transaction(async (tx) => {
          const scope = commandScope(ctx, tx, planned.command)
          const { writes } = await planned.prepare(scope, stored)
          const { command, file } = planned
          return recordRevision(scope, { kind: 'import', command, file }, writes, { onProgress })
        }),
      )
      console.log(`\nDone.${describeImport(importId)}`)
    },
    (location) => {
      if (apply) console.error(`No summit found in ${location}; creating one.`)
      else {
        planned.showPlan(planned.nothingStored)
        console.log(
          `\nNothing was changed. No summit found in ${location}. Run the same command with --apply to create one and apply this plan.`,
        )
      }
      return apply
    },
  )
}

/** How to undo an import; `''` for one that has changed nothing. */
export const describeImport = (importId: number | undefined): string =>
  importId === undefined ? '' : ` To undo this import: ${commandName} import undo ${importId}`
