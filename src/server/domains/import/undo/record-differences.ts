import type { StoredParticipant } from '../../participants/stored-participants.ts'
import type { StoredEvent } from '../../program/stored-events.ts'
import { loginDifference } from '../participants/login-plan.ts'
import { compareParticipant } from '../participants/participant-differences.ts'
import { compareEvent } from '../program/event-differences.ts'
import type { ImportedKind } from '../records/record-states.ts'
import { participantFields } from '../source.ts'

/** The differences between two states of a record, as an import shows them. */
export function compareStates(kind: ImportedKind, from: string, to: string): string[] {
  if (kind === 'participant') {
    const [before, after] = [JSON.parse(from), JSON.parse(to)] as [StoredParticipant, StoredParticipant]
    const values = Object.fromEntries(participantFields.map((field) => [field, after.row[field]]))
    const differences = compareParticipant(values, before.row)
    return before.login === after.login ? differences : [...differences, loginDifference]
  }
  const [{ row: old }, { row }] = [JSON.parse(from), JSON.parse(to)] as [StoredEvent, StoredEvent]
  const others = [
    ...(['banner', 'photo'] as const).filter((field) => row[field] !== old[field]),
    ...(row.source_key === old.source_key ? [] : ['id']),
  ]
  const { change, differences } = compareEvent(row, old, others)
  return change === 'cancelled' ? ['cancelled', ...differences] : differences
}
