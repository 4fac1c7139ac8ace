import type { Row } from '../db/tables.ts'
import type { ParticipantId } from '../ids.ts'
import { addParticipant, everyParticipant, updateParticipant } from '../participants/participants.ts'
import type { Scope } from '../scope.ts'
import type { SourceParticipant } from './source.ts'

export const participantChanges = ['new', 'changed', 'unchanged'] as const

/** What an import would do to one participant. */
export interface PlannedParticipant {
  change: (typeof participantChanges)[number]
  participant: SourceParticipant
  /** The members that differ. */
  differences: string[]
  /** Who it is already; absent for a new one. */
  id?: ParticipantId
}

type Known = Row<'participant'>

/**
 * Compares the rows of a file with the participants that are there, who are recognised by e-mail address, else by
 * employee number. Who is not in the file stays as they are.
 */
export function planParticipants(rows: readonly SourceParticipant[], known: readonly Known[]): PlannedParticipant[] {
  const byEmail = new Map(known.map((person) => [person.email.toLowerCase(), person]))
  const byNumber = new Map(known.map((person) => [person.employee_no, person]))
  return rows.map((participant) => {
    const { email = '', employee_no = '' } = participant.values
    const person = (email && byEmail.get(email.toLowerCase())) || (employee_no && byNumber.get(employee_no))
    if (!person) return { change: 'new', participant, differences: [] }
    const differences = differencesOf(participant, person)
    return { change: differences.length > 0 ? 'changed' : 'unchanged', participant, differences, id: person.id }
  })
}

function differencesOf({ values }: SourceParticipant, person: Known): string[] {
  const stored: Partial<Record<string, unknown>> = person
  return Object.entries(values).flatMap(([name, value]) => (same(name, stored[name], value) ? [] : [name]))
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
