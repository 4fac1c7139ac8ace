import { maxPageRows } from '../../contract/limits.ts'
import { undoChanges } from '../../contract/revisions.ts'
import type { Config } from '../../server/config/config.ts'
import { toOneLine } from '../../server/core/clean-text.ts'
import { commandName } from '../../server/core/command-name.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { removeOrphans } from '../../server/domains/orphans/orphans.ts'
import { finishErasures } from '../../server/domains/privacy/finish-erasures.ts'
import { insertSteps } from '../../server/domains/privacy/steps-store.ts'
import { findRevision, listRevisions } from '../../server/domains/revisions/store.ts'
import { isUndone, type PlannedUndo, planUndo, undoRevision } from '../../server/domains/revisions/undo.ts'
import { commandScope } from '../../server/scope.ts'
import { assertLedgerWritable } from '../erasure.ts'
import { parseId } from '../identify-record.ts'
import type { PlanOptions } from '../plan-or-apply.ts'
import { formatPlan } from '../plan-report.ts'
import { withContext, withMaintenanceLock } from '../with-context.ts'

/** `summit import list`: lists every import, and every other change that can be undone, newest first. */
export async function printImports(config: Config): Promise<void> {
  await withContext(config, async (ctx) => {
    let count = 0
    for (let offset = 0; ; offset += maxPageRows) {
      const revisions = await listRevisions(ctx.database.read, { offset, limit: maxPageRows })
      for (const { id, at, command, file, undoes, note, records, undone_at } of revisions) {
        const state = undone_at === 0 ? formatCount(records, 'record') : `undone ${ctx.timestamp(undone_at)}`
        const about = undoes === 0 ? file || toOneLine(note) : `of ${undoes}`
        console.log(`${String(id).padStart(5)}  ${ctx.timestamp(at)}  ${command.padEnd(19)}  ${about}  ${state}`)
      }
      count += revisions.length
      if (revisions.length < maxPageRows) break
    }
    if (count === 0) console.log('No imports.')
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
    const revision = await findRevision(ctx.database.read, id)
    if (!revision) throw new OperatorError(`There is no import ${id}. To list them: ${commandName} import list`)
    if (revision.undone_at !== 0) throw new OperatorError(`Import ${id} has already been undone.`)
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
        const undone = await undoRevision(scope, { revisionId: id, command: 'import undo', keepChanged })
        for (const participant of undone.people) await insertSteps(tx, participant, ['responses'], [], scope.now)
        return undone.keys
      })
      await removeOrphans(ctx, keys)
    })
    await finishErasures(ctx)
    console.log(plan.some(isUndone) ? '\nDone.' : '\nNothing was changed.')
  })
}

/** @throws OperatorError if a record is blocked */
function assertUnchanged(plan: readonly PlannedUndo[]): void {
  const blocked = plan.filter(({ change }) => change === 'blocked').length
  if (blocked > 0)
    throw new OperatorError(
      `Nothing was changed, because ${formatCount(blocked, 'record')} of this import cannot be undone (listed as blocked). To leave ` +
        'such records as they are and undo the others, add --keep-changed.',
    )
}
