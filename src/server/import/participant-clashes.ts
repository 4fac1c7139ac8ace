import { type Identity, identities, identityOf, type Known, peopleBy, type Shared } from './participant-identities.ts'
import type { SourceParticipant } from './source.ts'

/**
 * The rows that would give an address or number to a second person. Whoever has it may be given another one by the same
 * file: two may swap their numbers.
 * @param rows no two of which state the same address or number
 * @param personOf who each row is; absent for somebody new
 */
export function clashes(
  rows: readonly SourceParticipant[],
  known: readonly Known[],
  personOf: ReadonlyMap<SourceParticipant, Known>,
): Map<SourceParticipant, Shared> {
  const rowOf = new Map([...personOf].map(([row, person]) => [person, row]))
  const having = { email: peopleBy('email', known), employee_no: peopleBy('employee_no', known) }
  const giving = { email: rowsBy('email', rows), employee_no: rowsBy('employee_no', rows) }
  const found = new Map<SourceParticipant, Shared>()
  const keeps = (person: Known, field: Identity): boolean => {
    const row = rowOf.get(person)
    return row === undefined || found.has(row) || row.values[field] === undefined
  }
  const clash = (row: SourceParticipant): Shared | undefined => {
    const person = personOf.get(row)
    for (const field of identities) {
      const given = identityOf(field, row.values)
      if (given === '' || (person && given === identityOf(field, person))) continue
      const people = (having[field].get(given) ?? []).filter((other) => other !== person && keeps(other, field))
      if (people.length > 0) return { field, people }
    }
    return undefined
  }
  const toLookAt = [...rows]
  for (let row = toLookAt.pop(); row; row = toLookAt.pop()) {
    const shared = found.has(row) ? undefined : clash(row)
    if (!shared) continue
    found.set(row, shared)
    // Its person keeps what the file may give to another, whose row is to be looked at again.
    const person = personOf.get(row)
    if (person) toLookAt.push(...identities.flatMap((field) => giving[field].get(identityOf(field, person)) ?? []))
  }
  return found
}

const rowsBy = (field: Identity, rows: readonly SourceParticipant[]): Map<string, SourceParticipant> =>
  new Map(rows.flatMap((row) => (row.values[field] === undefined ? [] : [[identityOf(field, row.values), row]])))
