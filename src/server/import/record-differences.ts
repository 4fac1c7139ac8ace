import type { StoredParticipant } from '../participants/stored-participants.ts'
import type { StoredEvent } from '../program/stored-events.ts'
import { compareEvent } from './event-differences.ts'
import { compareParticipant } from './participant-differences.ts'
import type { RecordKind } from './record-states.ts'
import { participantFields } from './source.ts'

/** The differences between two states of a record, as an import shows them. */
export function compareStates(kind: RecordKind, from: string, to: string): string[] {
  if (kind === 'participant') {
    const [{ row: old }, { row }] = [JSON.parse(from), JSON.parse(to)] as [StoredParticipant, StoredParticipant]
    return compareParticipant(Object.fromEntries(participantFields.map((field) => [field, row[field]])), old)
  }
  const [{ row: old }, { row }] = [JSON.parse(from), JSON.parse(to)] as [StoredEvent, StoredEvent]
  const others = [
    ...(['banner', 'photo'] as const).filter((field) => row[field] !== old[field]),
    ...(row.source_key === old.source_key ? [] : ['id']),
  ]
  const { change, differences } = compareEvent(row, old, others)
  return change === 'cancelled' ? ['cancelled', ...differences] : differences
}
