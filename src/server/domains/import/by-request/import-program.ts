import { changeKinds } from '../../../../contract/changes.ts'
import type { FailedField } from '../../../../contract/envelope.ts'
import { maxFailedFields } from '../../../../contract/failures.ts'
import type { Data } from '../../../../contract/index.ts'
import { fileMember } from '../../../../contract/uploads.ts'
import { bodyField, Failure, invalidField } from '../../../core/failure.ts'
import { dependenciesChangedBy } from '../../../log/changes/dependencies.ts'
import { hasMatchingAfter } from '../../../log/changes/find-changes.ts'
import { readHead } from '../../../log/changes/log.ts'
import type { HandlerInput } from '../../../operation.ts'
import type { PreparationScope, RequestScope } from '../../../scope.ts'
import { safeFileName } from '../../files/file-name.ts'
import { zoneOf } from '../../program/schedule-times.ts'
import { readProgram } from '../../program-export/program.ts'
import { writeSessionsCsv } from '../../program-export/sessions-csv.ts'
import { recordRevision } from '../../revisions/record-revision.ts'
import { toWrites } from '../program/program-apply.ts'
import { loadProgram } from '../program/stored-program.ts'
import { readIsoDate } from '../times/wall-clock.ts'
import type { FilePlanner } from './file-planner.ts'
import type { PlannedFile, ProgramJob, RejectedFile } from './plan-program.ts'

type Input = HandlerInput<'planImport'>

const defaultSource = 'program'

/** @throws Failure NOT_A_PROGRAM with the lines that cannot be read, UNAVAILABLE */
export async function planImport(
  scope: PreparationScope,
  planner: FilePlanner,
  input: Input,
): Promise<Data<'planImport'>> {
  return { plan: (await planInput(scope, planner, input)).shown }
}

/**
 * Plans a file again, and applies the plan if it is the one that was seen.
 * @throws Failure as `planImport`; EVENT_CHANGED with the present plan; VALIDATION_FAILED if the program loses more than was
 *   intended, or a row is chosen that is not in the plan
 */
export async function prepareImport(
  scope: PreparationScope,
  planner: FilePlanner,
  { hash, only, replace, ...input }: HandlerInput<'applyImport'>,
): Promise<(scope: RequestScope) => Promise<Data<'applyImport'>>> {
  const { id: position } = await readHead(scope.db)
  const { shown, plan } = await planInput(scope, planner, input)
  if (shown.hash !== hash) throw new Failure('EVENT_CHANGED', { current: { plan: shown } })
  // Who chooses rows, has chosen what is lost.
  if (shown.losses.needs_replace && !replace && !only) throw invalidField('replace', 'NOT_CONFIRMED', notConfirmed)
  const chosen = only ? choose(plan, only) : plan
  return async (scope) => {
    if (await hasMatchingAfter(scope.db, position, { kinds: programKinds })) throw new Failure('EVENT_CHANGED')
    const writes = await toWrites(scope, input.source || defaultSource, chosen, input.draft === true)
    const revision = { kind: 'import', command: 'import program', file: nameOf(input) } as const
    const revisionId = await recordRevision(scope, revision, writes)
    return { revision_id: revisionId === undefined ? null : String(revisionId) }
  }
}

const notConfirmed =
  'This file may be only a part of the program, or another one, as the losses in its plan say. If it is the whole program, ' +
  'send replace.'

/** The changes of which a plan must know. */
const programKinds = changeKinds.filter((kind) => {
  if (kind === 'event.drafted' || kind === 'summit.restored') return true
  const affected = dependenciesChangedBy({ kind, record_id: 0, parent_id: 0 })
  return affected !== 'everything' && affected.includes('program')
})

/** The name of a file for messages and the list of imports. */
export const nameOf = ({ filePart: { name } }: Pick<Input, 'filePart'>): string => safeFileName(name, 'text/plain')

/** @throws Failure NOT_A_PROGRAM, UNAVAILABLE */
async function planInput(scope: PreparationScope, planner: FilePlanner, input: Input): Promise<PlannedFile> {
  const { filePart, encoding, dates, first_day, time_zone, only_days, partial, draft } = input
  const prepare = async (): Promise<ProgramJob> => {
    const stored = await loadProgram(scope.db, draft === true)
    return {
      kind: 'program',
      path: filePart.staged.path,
      name: nameOf(input),
      encoding: encoding || undefined,
      choices: {
        dates,
        firstDay: first_day ? readIsoDate(first_day) : undefined,
        timeZone: time_zone || zoneOf(stored.parts.conference[0], scope),
      },
      source: input.source || defaultSource,
      scope: { onlyDays: only_days, partial, draft },
      limits: scope.limits,
      stored,
    }
  }
  const outcome = await planner.plan(prepare, async () => writeSessionsCsv(await readProgram(scope)))
  if ('rejected' in outcome) throw new Failure('NOT_A_PROGRAM', { fields: toFields(outcome) })
  return outcome
}

/** The lines that cannot be read, as fields of a failure. */
export const toFields = ({ rejected }: RejectedFile): FailedField[] =>
  rejected
    .slice(0, maxFailedFields)
    .map(({ line, message }) =>
      bodyField(fileMember, 'NOT_IMPORTABLE', line === undefined ? message : `line ${line}: ${message}`),
    )

/**
 * The chosen rows of a plan, with what they refer to.
 * @throws Failure VALIDATION_FAILED
 */
function choose({ sessions, parts }: PlannedFile['plan'], rows: readonly number[]): PlannedFile['plan'] {
  const chosen = chooseRows(sessions, rows)
  const used = new Set<unknown>(
    chosen.flatMap(({ session }) => (session ? [session.inRoom, session.inTrack, ...session.people] : [])),
  )
  return { sessions: chosen, parts: parts.filter((part) => used.has(part)) }
}

/** @param rows numbers in the plan, from 1 @throws Failure VALIDATION_FAILED */
export function chooseRows<R>(planned: readonly R[], rows: readonly number[]): R[] {
  const unknown = rows.findIndex((row) => row > planned.length)
  if (unknown >= 0) throw invalidField(`only[${unknown}]`, 'UNKNOWN', `only[${unknown}] is no row of the plan.`)
  const numbers = new Set(rows)
  return planned.filter((_, index) => numbers.has(index + 1))
}
