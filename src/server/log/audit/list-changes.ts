import type { ChangeKind } from '../../../contract/changes.ts'
import type { FieldReason } from '../../../contract/envelope.ts'
import type { Data } from '../../../contract/index.ts'
import { parseTime } from '../../core/clock.ts'
import { Failure } from '../../core/failure.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope } from '../../scope.ts'
import { type FoundChange, findChanges, findKinds } from '../changes/find-changes.ts'

/** @throws Failure VALIDATION_FAILED */
export async function listChanges(
  scope: Scope,
  { offset, limit, ...filter }: HandlerInput<'listChanges'>,
): Promise<Data<'listChanges'>> {
  const conditions = {
    kinds: readKind(filter.kind),
    record: filter.record_id,
    actor: filter.participant_id,
    organizer: filter.organizer_id,
    credential: filter.credential_id,
    since: readTime(scope, 'since', filter.since),
    before: readTime(scope, 'before', filter.before),
  }
  const found = await findChanges(scope.db, conditions, { offset, limit })
  return { changes: found.map((change) => toLoggedChange(change, scope)) }
}

const toLoggedChange = (change: FoundChange, { timestamp }: Scope): Data<'listChanges'>['changes'][number] => ({
  id: String(change.id),
  created_at: timestamp(change.at),
  kind: change.kind,
  record_id: String(change.record_id),
  topic_id: String(change.parent_id),
  participant_id: String(change.actor_id),
  credential_id: String(change.credential_id),
  organizer_id: String(change.organizer_id ?? 0),
  request_id: change.request_id,
})

function readKind(kind: string | undefined): ChangeKind[] | undefined {
  if (kind === undefined) return undefined
  const kinds = findKinds(kind)
  if (kinds.length > 0) return kinds
  throw invalid(
    'kind',
    'NOT_A_KIND',
    'kind must be a kind of change, such as topic.deleted, or of record, such as topic.',
  )
}

function readTime({ timestamp }: Scope, field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = parseTime(text, timestamp)
  if (at !== undefined) return at
  throw invalid(field, 'NOT_A_TIME', `${field} must be a date or a time, such as 2030-05-01 or 2030-05-01T09:00Z.`)
}

const invalid = (field: string, reason: FieldReason, message: string): Failure =>
  new Failure('VALIDATION_FAILED', { fields: [{ field, in: 'query', reason, message }] })
