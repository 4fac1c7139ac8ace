import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import {
  assertUnchanged,
  listImports,
  planUndo,
  undoChanges,
  undoImport,
} from '../../server/domains/import/undo/undo-import.ts'
import { removeOrphans } from '../../server/domains/orphans/orphans.ts'
import { finishErasures } from '../../server/domains/privacy/finish-erasures.ts'
import { insertSteps } from '../../server/domains/privacy/steps-store.ts'
import { commandScope } from '../../server/scope.ts'
import { assertLedgerWritable } from '../erasure.ts'
import { parseId } from '../identify-record.ts'
import type { PlanOptions } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { withContext, withMaintenanceLock } from '../with-context.ts'

/** `summit import list`: lists every import that has changed something, newest first. */
export async function printImports(config: Config): Promise<void> {
  await withContext(config, async (ctx) => {
    const imports = await listImports(ctx.database.read)
    if (imports.length === 0) console.log('No imports.')
    for (const { id, at, command, file, records, undone_at } of imports) {
      const state = undone_at === 0 ? formatCount(records, 'record') : `undone ${ctx.timestamp(undone_at)}`
      console.log(`${String(id).padStart(5)}  ${ctx.timestamp(at)}  ${command.padEnd(19)}  ${file}  ${state}`)
    }
  })
}

interface Options extends PlanOptions {
  /** Whether to leave records alone that were changed since; otherwise they prevent the undo. */
  keepChanged?: boolean
}

/** `summit import undo ID`: prints what undoing an import would change, and with `--apply` undoes it. */
export async function undo(
  config: Config,
  importId: string,
  { apply = false, all = false, keepChanged = false }: Options,
): Promise<void> {
  const id = parseId(importId)
  await withContext(config, async (ctx) => {
    const plan = await planUndo(ctx.database.read, id)
    const lines = plan.map(({ change, text, reason, differences }) => ({
      change,
      text: reason === undefined ? text : `${text}: ${reason}`,
      differences,
    }))
    console.log(formatPlan(undoChanges, lines, [], { noun: 'records', all }))
    if (!keepChanged) assertUnchanged(plan)
    if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to apply this plan.')
    await assertLedgerWritable(config)
    await withMaintenanceLock(config, async () => {
      const keys = await ctx.database.transaction(async (tx) => {
        const scope = commandScope(ctx, tx, 'import undo')
        const undone = await undoImport(scope, id, keepChanged)
        for (const participant of undone.people) await insertSteps(tx, participant, ['responses'], [], scope.now)
        return undone.keys
      })
      await removeOrphans(ctx, keys)
    })
    await finishErasures(ctx)
    console.log('\nDone.')
  })
}
