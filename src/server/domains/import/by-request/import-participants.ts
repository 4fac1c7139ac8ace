import type { Data } from '../../../../contract/index.ts'
import { Failure } from '../../../core/failure.ts'
import { hasMatchingAfter } from '../../../log/changes/find-changes.ts'
import { readHead } from '../../../log/changes/log.ts'
import type { HandlerInput } from '../../../operation.ts'
import type { PreparationScope, RequestScope } from '../../../scope.ts'
import { listAllParticipants } from '../../participants/participants.ts'
import { recordRevision } from '../../revisions/record-revision.ts'
import { loadLogins } from '../participants/login-plan.ts'
import { countErasedSinceImport, toParticipantWrites } from '../participants/participants-plan.ts'
import type { FilePlanner } from './file-planner.ts'
import { chooseRows, nameOf, toFields } from './import-program.ts'
import type { ParticipantsJob, PlannedSpreadsheet } from './plan-participants.ts'

type Input = HandlerInput<'planParticipantsImport'>

/** @throws Failure VALIDATION_FAILED with the lines that cannot be read, UNAVAILABLE */
export async function planParticipantsImport(
  scope: PreparationScope,
  planner: FilePlanner,
  input: Input,
): Promise<Data<'planParticipantsImport'>> {
  return { plan: (await planInput(scope, planner, input)).shown }
}

/**
 * Plans a spreadsheet again, and applies the plan if it is the one that was seen.
 * @throws Failure as `planParticipantsImport`; EVENT_CHANGED with the present plan; FORBIDDEN, see `assertMayLetSignIn`
 */
export async function prepareParticipantsImport(
  scope: PreparationScope,
  planner: FilePlanner,
  { hash, only, ...input }: HandlerInput<'applyParticipantsImport'>,
): Promise<(scope: RequestScope) => Promise<Data<'applyParticipantsImport'>>> {
  const { id: position } = await readHead(scope.db)
  const { shown, plan } = await planInput(scope, planner, input)
  if (shown.hash !== hash) throw new Failure('EVENT_CHANGED', { current: { plan: shown } })
  const chosen = only ? chooseRows(plan, only) : plan
  return async (scope) => {
    if (await hasMatchingAfter(scope.db, position, { kinds: participantKinds })) throw new Failure('EVENT_CHANGED')
    // As that of the command, since which erasures are counted.
    const revision = { kind: 'import', command: 'import participants', file: nameOf(input) } as const
    // Also of participants who are there already, whom only editors change one by one.
    const writes = toParticipantWrites({ ...scope, role: 'desk' }, chosen)
    const revisionId = await recordRevision(scope, revision, writes)
    return { revision_id: revisionId === undefined ? null : String(revisionId) }
  }
}

const participantKinds = [
  ...(['participant.created', 'participant.updated', 'participant.deleted', 'participant.forgotten'] as const),
  ...(['participant.anonymized', 'login.changed', 'summit.restored'] as const),
]

async function planInput(scope: PreparationScope, planner: FilePlanner, input: Input): Promise<PlannedSpreadsheet> {
  const { filePart, encoding, same_person } = input
  const prepare = async (): Promise<ParticipantsJob> => ({
    kind: 'participants',
    path: filePart.staged.path,
    name: nameOf(input),
    encoding: encoding || undefined,
    choices: { samePerson: same_person === true },
    limits: scope.limits,
    people: await listAllParticipants(scope.db),
    logins: await loadLogins(scope.db),
    erased: await countErasedSinceImport(scope.db),
  })
  const outcome = await planner.plan(prepare)
  if ('rejected' in outcome) throw new Failure('VALIDATION_FAILED', { fields: toFields(outcome) })
  return outcome
}
