import type { Db } from '../server/db/tables.ts'
import type { WriteScope } from '../server/scope.ts'
import { commandScope } from '../server/scope.ts'
import { withProgress } from './progress.ts'
import { withContext } from './with-context.ts'

/** The options of every import that has a plan. */
export interface PlanOptions {
  /** Whether to do it; else its plan is only printed. */
  apply?: boolean
  /** Whether the plan shows every line, however many there are. */
  all?: boolean
}

/** An import that has a plan. */
export interface PlannedImport<Known> {
  /** As it is typed, for the change log. */
  command: string
  /** What is there already, to compare the file with. */
  known(db: Db): Promise<Known[]>
  /** Prints what would happen. @throws OperatorError when it may not */
  showPlan(known: readonly Known[]): void
  apply(scope: WriteScope, onProgress: (done: number, all: number) => void): Promise<unknown>
}

/** Prints the plan of an import; does it with `apply`, which begins a summit where there is none. */
export async function planOrApply<Known>(planned: PlannedImport<Known>, apply: boolean): Promise<void> {
  await withContext(
    async (ctx) => {
      planned.showPlan(await planned.known(ctx.database.read))
      if (!apply) return console.log('\nNothing was changed. To do this: the same command with --apply')
      await withProgress('Importing', (onProgress) =>
        ctx.database.transaction((tx) => planned.apply(commandScope(ctx, tx, planned.command), onProgress)),
      )
      console.log('\nDone.')
    },
    (place) => {
      if (apply) console.error(`There was no summit in ${place} yet; it begins with this.`)
      else {
        planned.showPlan([])
        const missing = `There is no summit in ${place} yet`
        console.log(`\nNothing was changed. ${missing}: the same command with --apply begins one.`)
      }
      return apply
    },
  )
}
