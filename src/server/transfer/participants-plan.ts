import type { Row } from '../db/tables.ts'
import type { ParticipantId } from '../ids.ts'
import { addParticipant, everyParticipant, updateParticipant } from '../participants/participants.ts'
import type { Scope } from '../scope.ts'
import { difference } from './difference.ts'
import type { ParticipantField, SourceParticipant } from './source.ts'

export const participantChanges = ['new', 'changed', 'unchanged'] as const

/** What an import would do to one participant. */
export interface PlannedParticipant {
  change: (typeof participantChanges)[number]
  participant: SourceParticipant
  /** The members that differ; those that say who it is with what is there and what is to be. */
  differences: string[]
  /** Who it is already; absent for a new one. */
  id?: ParticipantId
}

type Known = Row<'participant'>

/**
 * Compares the rows of a file, no two of which share an e-mail address or number, with the participants that are there.
 * Who is not in the file stays as they are.
 */
export function planParticipants(rows: readonly SourceParticipant[], known: readonly Known[]): PlannedParticipant[] {
  const personOf = recognise(rows, known)
  return rows.map((participant) => {
    const person = personOf.get(participant)
    if (!person) return { change: 'new', participant, differences: [] }
    const differences = differencesOf(participant, person)
    return { change: differences.length > 0 ? 'changed' : 'unchanged', participant, differences, id: person.id }
  })
}

/**
 * Who each row is: by e-mail address first, all rows, and then by employee number among those who are nobody yet.
 * A person is one row's at most; of several with the same address or number, the one who was there first.
 */
function recognise(rows: readonly SourceParticipant[], known: readonly Known[]): Map<SourceParticipant, Known> {
  const personOf = new Map<SourceParticipant, Known>()
  for (const identity of [emailOf, numberOf]) {
    const claimed = new Set(personOf.values())
    const people = new Map<string, Known>()
    for (const person of known) {
      const id = identity(person)
      if (id !== '' && !people.has(id) && !claimed.has(person)) people.set(id, person)
    }
    for (const row of rows) {
      const person = people.get(identity(row.values))
      if (person && !personOf.has(row)) personOf.set(row, person)
    }
  }
  return personOf
}

type Identities = Partial<Pick<Known, 'email' | 'employee_no'>>
const emailOf = ({ email = '' }: Identities) => email.toLowerCase()
const numberOf = ({ employee_no = '' }: Identities) => employee_no

/** What says who somebody is. A row with the number of another person would make that person into this one. */
const identifying = new Set<string>(['email', 'employee_no', 'first_name', 'last_name'] satisfies ParticipantField[])

function differencesOf({ values }: SourceParticipant, person: Known): string[] {
  const stored: Partial<Record<string, unknown>> = person
  return Object.entries(values).flatMap(([name, value]) => {
    if (same(name, stored[name], value)) return []
    return identifying.has(name) ? [difference(name, String(stored[name] ?? ''), value)] : [name]
  })
}

/** Addresses that differ in case only are the same (and so is the person). */
const same = (name: string, stored: unknown, given: string): boolean =>
  stored === given || (name === 'email' && String(stored).toLowerCase() === given.toLowerCase())

/**
 * Adds and changes participants as the file says, in the transaction of `scope`, by a plan made anew therein.
 * @param onProgress called after each row with how many of how many are done
 */
export async function applyParticipants(
  scope: Scope,
  rows: readonly SourceParticipant[],
  onProgress: (done: number, all: number) => void,
): Promise<PlannedParticipant[]> {
  const plan = planParticipants(rows, await everyParticipant(scope.db))
  for (const [index, { change, participant, id }] of plan.entries()) {
    if (id === undefined) await addParticipant(scope, participant.values)
    else if (change === 'changed') await updateParticipant(scope, { ...participant.values, participantId: id })
    onProgress(index + 1, plan.length)
  }
  return plan
}
