import { type IdentityField, identityFields } from '../../participants/participant-differences.ts'
import type { SourceParticipant } from '../source.ts'
import { groupByIdentity, type IdentityConflict, identityValue, type ParticipantRow } from './participant-identities.ts'

/**
 * Finds the rows that would give an address or number of one person to another. It is no conflict if the same file
 * gives its current owner a different one: two people may swap numbers.
 * @param rows no two of them with the same address or number
 * @param matches the stored participant of each row; absent for a new one
 */
export function findConflicts(
  rows: readonly SourceParticipant[],
  stored: readonly ParticipantRow[],
  matches: ReadonlyMap<SourceParticipant, ParticipantRow>,
): Map<SourceParticipant, IdentityConflict> {
  const rowOf = new Map([...matches].map(([row, person]) => [person, row]))
  const owners = { email: groupByIdentity('email', stored), employee_no: groupByIdentity('employee_no', stored) }
  const claimants = { email: rowsBy('email', rows), employee_no: rowsBy('employee_no', rows) }
  const conflicts = new Map<SourceParticipant, IdentityConflict>()
  const keepsValue = (person: ParticipantRow, field: IdentityField): boolean => {
    const row = rowOf.get(person)
    return row === undefined || conflicts.has(row) || row.values[field] === undefined
  }
  const conflictOf = (row: SourceParticipant): IdentityConflict | undefined => {
    const person = matches.get(row)
    for (const field of identityFields) {
      const value = identityValue(field, row.values)
      if (value === '' || (person && value === identityValue(field, person))) continue
      const people = (owners[field].get(value) ?? []).filter((other) => other !== person && keepsValue(other, field))
      if (people.length > 0) return { field, people }
    }
    return undefined
  }
  const queue = [...rows]
  for (let row = queue.pop(); row; row = queue.pop()) {
    const conflict = conflicts.has(row) ? undefined : conflictOf(row)
    if (!conflict) continue
    conflicts.set(row, conflict)
    // The row is skipped, so its person keeps the old values; check again the rows that claim them.
    const person = matches.get(row)
    if (person)
      queue.push(...identityFields.flatMap((field) => claimants[field].get(identityValue(field, person)) ?? []))
  }
  return conflicts
}

const rowsBy = (field: IdentityField, rows: readonly SourceParticipant[]): Map<string, SourceParticipant> =>
  new Map(rows.flatMap((row) => (!row.values[field] ? [] : [[identityValue(field, row.values), row]])))
