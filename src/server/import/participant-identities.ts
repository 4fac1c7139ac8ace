import type { Row } from '../db/tables.ts'
import type { SourceParticipant } from './source.ts'

/** A participant who is there already. */
export type Known = Row<'participant'>

/** What participants are recognised by, the surer one first. */
export const identities = ['email', 'employee_no'] as const
export type Identity = (typeof identities)[number]

/** An address or number as it is compared: case makes no other address. `''` when there is none. */
export const identityOf = (
  field: Identity,
  { email = '', employee_no = '' }: Partial<Pick<Known, Identity>>,
): string => (field === 'email' ? email.toLowerCase() : employee_no)

/** Those who have each address, or each number. */
export const peopleBy = (field: Identity, known: readonly Known[]): Map<string, Known[]> =>
  Map.groupBy(
    known.filter((person) => identityOf(field, person) !== ''),
    (person) => identityOf(field, person),
  )

/** Why a row cannot be applied: what it says of one person is said of these already. */
export interface Shared {
  field: Identity
  people: readonly Known[]
}

export interface Recognised {
  /** Who each row is; absent for somebody new. */
  personOf: Map<SourceParticipant, Known>
  /** The rows that may be one or another. */
  unclear: Map<SourceParticipant, Shared>
}

/**
 * Who each row is: by e-mail address first, all rows, and then by employee number among those who are nobody yet.
 * A person is one row's at most.
 */
export function recognise(rows: readonly SourceParticipant[], known: readonly Known[]): Recognised {
  const [personOf, unclear] = [new Map<SourceParticipant, Known>(), new Map<SourceParticipant, Shared>()]
  for (const field of identities) {
    const claimed = new Set([...personOf.values(), ...[...unclear.values()].flatMap(({ people }) => people)])
    const free = peopleBy(
      field,
      known.filter((person) => !claimed.has(person)),
    )
    for (const row of rows) {
      if (personOf.has(row) || unclear.has(row)) continue
      const people = narrowed(free.get(identityOf(field, row.values)) ?? [], row)
      const [person, ...others] = people
      if (others.length > 0) unclear.set(row, { field, people })
      else if (person) personOf.set(row, person)
    }
  }
  return { personOf, unclear }
}

/** Of several people that a row fits, the one whom it fits in both ways, if there is one. */
function narrowed(people: readonly Known[], { values }: SourceParticipant): readonly Known[] {
  if (people.length < 2) return people
  const exact = people.filter((person) =>
    identities.every((field) => identityOf(field, person) === identityOf(field, values)),
  )
  return exact.length === 1 ? exact : people
}
