import { normalizeMailAddress } from '../../../platform/mail/mail-address.ts'
import type { Row } from '../../../storage/db/tables.ts'
import { type IdentityField, identityFields } from '../../participants/participant-differences.ts'
import type { SourceParticipant } from '../source.ts'

export type ParticipantRow = Row<'participant'>

/** An address or number in the form used for comparison: addresses ignore case and invisible
 * characters. `''` if there is none. */
export const identityValue = (
  field: IdentityField,
  { email = '', employee_no = '' }: Partial<Pick<ParticipantRow, IdentityField>>,
): string => (field === 'email' ? normalizeMailAddress(email) : employee_no)

/** Groups participants by e-mail address or by employee number. */
export const groupByIdentity = (
  field: IdentityField,
  stored: readonly ParticipantRow[],
): Map<string, ParticipantRow[]> =>
  Map.groupBy(
    stored.filter((person) => identityValue(field, person) !== ''),
    (person) => identityValue(field, person),
  )

/** The reason why a row cannot be applied: its address or number already belongs to these people. */
export interface IdentityConflict {
  field: IdentityField
  people: readonly ParticipantRow[]
}

export interface ParticipantMatches {
  /** The stored participant of each row; absent for a new one. */
  matches: Map<SourceParticipant, ParticipantRow>
  /** The rows that match several stored participants. */
  ambiguous: Map<SourceParticipant, IdentityConflict>
}

/**
 * Matches the rows of an export by id; then the remaining rows by e-mail address, and after that by employee number,
 * with the remaining participants. A stored participant matches at most one row.
 */
export function matchParticipants(
  rows: readonly SourceParticipant[],
  stored: readonly ParticipantRow[],
): ParticipantMatches {
  const matches = matchById(rows, stored)
  const ambiguous = new Map<SourceParticipant, IdentityConflict>()
  for (const field of identityFields) {
    const taken = new Set([...matches.values(), ...[...ambiguous.values()].flatMap(({ people }) => people)])
    const candidates = groupByIdentity(
      field,
      stored.filter((person) => !taken.has(person)),
    )
    for (const row of rows) {
      if (matches.has(row) || ambiguous.has(row)) continue
      const people = preferFullMatch(candidates.get(identityValue(field, row.values)) ?? [], row)
      const [person, ...others] = people
      if (others.length > 0) ambiguous.set(row, { field, people })
      else if (person) matches.set(row, person)
    }
  }
  return { matches, ambiguous }
}

/** An id alone is not enough: the export may come from another summit. */
function matchById(
  rows: readonly SourceParticipant[],
  stored: readonly ParticipantRow[],
): Map<SourceParticipant, ParticipantRow> {
  const personById = new Map(stored.map((person) => [person.id, person]))
  return new Map(
    rows.flatMap((row) => {
      const person = row.id === undefined ? undefined : personById.get(row.id)
      return person && isSamePerson(row, person) ? [[row, person]] : []
    }),
  )
}

const isSamePerson = ({ values }: SourceParticipant, person: ParticipantRow): boolean =>
  identityFields.some((field) => {
    const value = identityValue(field, person)
    return value !== '' && value === identityValue(field, values)
  }) ||
  (values.first_name === person.first_name && values.last_name === person.last_name)

/** Narrows several candidates down to the one that matches in both fields, if there is exactly one. */
function preferFullMatch(people: readonly ParticipantRow[], { values }: SourceParticipant): readonly ParticipantRow[] {
  if (people.length < 2) return people
  const exact = people.filter((person) =>
    identityFields.every((field) => identityValue(field, person) === identityValue(field, values)),
  )
  return exact.length === 1 ? exact : people
}
