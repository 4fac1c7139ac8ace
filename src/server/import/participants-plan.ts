import type { ParticipantId } from '../core/ids.ts'
import { addParticipant, listAllParticipants, updateParticipant } from '../participants/participants.ts'
import type { WriteScope } from '../scope.ts'
import { difference } from './difference.ts'
import { quoted } from './formats/clean.ts'
import { clashes } from './participant-clashes.ts'
import { type Identity, identities, type Known, recognise } from './participant-identities.ts'
import type { ParticipantField, Remark, SourceParticipant } from './source.ts'

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

export interface ParticipantsPlan {
  participants: PlannedParticipant[]
  /** The rows that are left out because an address or number would belong to two. */
  problems: Remark[]
}

/**
 * Compares the rows of a file, no two of which share an e-mail address or number, with the participants that are there.
 * Who is not in the file stays as they are.
 */
export function planParticipants(rows: readonly SourceParticipant[], known: readonly Known[]): ParticipantsPlan {
  const { personOf, unclear } = recognise(rows, known)
  const clear = rows.filter((row) => !unclear.has(row))
  const leftOut = new Map([...unclear, ...clashes(clear, known, personOf)])
  const participants = rows.flatMap((participant): PlannedParticipant[] => {
    if (leftOut.has(participant)) return []
    const person = personOf.get(participant)
    if (!person) return [{ change: 'new', participant, differences: [] }]
    const differences = differencesOf(participant, person)
    return [{ change: differences.length > 0 ? 'changed' : 'unchanged', participant, differences, id: person.id }]
  })
  const problems = [...leftOut].map(([{ line, values }, { field, people }]) => ({
    line,
    reason:
      `The ${words[field]} ${quoted(values[field] ?? '')} is already that of ${named(people)}; ` +
      'the row was left out.',
  }))
  return { participants, problems: problems.sort((a, b) => a.line - b.line) }
}

const words: Record<Identity, string> = { email: 'e-mail address', employee_no: 'employee number' }

/** As many people are named in a sentence; the rest is counted. */
const namedPeople = 3

function named(people: readonly Known[]): string {
  const names = people.slice(0, namedPeople).map(({ first_name, last_name, email, employee_no }) => {
    const ids = [email, employee_no].filter(Boolean).join(', ')
    return [first_name, last_name, `<${ids}>`].filter(Boolean).join(' ')
  })
  const more = people.length - namedPeople
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

/** What says who somebody is. A row with the number of another person would make that person into this one. */
const identifying = new Set<string>([...identities, 'first_name', 'last_name'] satisfies ParticipantField[])

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
  scope: WriteScope,
  rows: readonly SourceParticipant[],
  onProgress: (done: number, all: number) => void,
): Promise<ParticipantsPlan> {
  const plan = planParticipants(rows, await listAllParticipants(scope.db))
  for (const [index, { change, participant, id }] of plan.participants.entries()) {
    if (id === undefined) await addParticipant(scope, participant.values)
    else if (change === 'changed') await updateParticipant(scope, { ...participant.values, participantId: id })
    onProgress(index + 1, plan.participants.length)
  }
  return plan
}
