import type { Config } from '../server/config/config.ts'
import { commandName } from '../server/core/command-name.ts'
import { type RecordWrite, recordRevision } from '../server/domains/revisions/record-revision.ts'
import type { WriteScope } from '../server/scope.ts'
import { commandScope } from '../server/scope.ts'
import type { Db } from '../server/storage/db/tables.ts'
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
  loadStored(db: Db): Promise<Stored>
  /** Prints the plan. @returns whether it changes anything @throws OperatorError if it must not be applied */
  showPlan(stored: Stored): boolean
  /** Recomputes the plan, in the transaction of `scope`. */
  prepare(scope: WriteScope): Promise<{ writes: RecordWrite[] }>
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
      if (!planned.showPlan(await planned.loadStored(ctx.database.read))) return console.log('\nNothing to do.')
      if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to apply this plan.')
      if (planned.changesLogins) await assertLedgerWritable(config)
      const importId = await withProgress('Importing', (onProgress) =>
        ctx.database.transaction(async (tx) => {
          const scope = commandScope(ctx, tx, planned.command)
          const { writes } = await planned.prepare(scope)
          return recordRevision(scope, { kind: 'import', command: planned.command, file: planned.file }, writes, {
            onProgress,
          })
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
