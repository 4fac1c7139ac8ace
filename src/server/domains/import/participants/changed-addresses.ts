import { fullNameOf } from '../../participants/participants.ts'
import type { SourceParticipant } from '../source.ts'
import type { KnownLogins } from './login-plan.ts'
import { nameKeys } from './name-keys.ts'
import { identityValue, type ParticipantMatches, type ParticipantRow } from './participant-identities.ts'

/** The participants to whom a row with another address may belong. */
export interface ChangedAddress {
  people: readonly ParticipantRow[]
  /** Known by employee number or id rather than by name only. */
  isKnown: boolean
  /** Whether it is one participant, and no other row may belong to them as well. */
  isUnique: boolean
}

/**
 * Finds the rows that have another address than the participant to whom they seem to belong: the one with their employee
 * number or id, or else with their name, unless the file has another row for that participant. They may be the same
 * person with a new address, or somebody else, who would get the account.
 */
export function findChangedAddresses(
  rows: readonly SourceParticipant[],
  stored: readonly ParticipantRow[],
  { matches, ambiguous }: ParticipantMatches,
  { present }: KnownLogins,
): Map<SourceParticipant, ChangedAddress> {
  const byName = groupByName(stored, new Set([...matches.values(), ...peopleIn(ambiguous)]))
  const changed = new Map<SourceParticipant, Omit<ChangedAddress, 'isUnique'>>()
  const claims = new Map<ParticipantRow, number>()
  for (const row of rows) {
    if (ambiguous.has(row)) continue
    const person = matches.get(row)
    const candidates = person ? [person] : findNamesakes(row, byName)
    const people = candidates.filter((each) => hasOtherAddress(row, each, present.get(each.id)))
    if (people.length > 0) changed.set(row, { people, isKnown: person !== undefined })
    for (const each of people) claims.set(each, (claims.get(each) ?? 0) + 1)
  }
  const isUnique = ([person, ...others]: readonly ParticipantRow[]) =>
    person !== undefined && others.length === 0 && claims.get(person) === 1
  return new Map([...changed].map(([row, change]) => [row, { ...change, isUnique: isUnique(change.people) }]))
}

const peopleIn = (ambiguous: ParticipantMatches['ambiguous']): ParticipantRow[] =>
  [...ambiguous.values()].flatMap(({ people }) => people)

function groupByName(
  stored: readonly ParticipantRow[],
  taken: ReadonlySet<ParticipantRow>,
): Map<string, ParticipantRow[]> {
  const groups = new Map<string, ParticipantRow[]>()
  for (const person of stored)
    for (const key of taken.has(person) ? [] : keysOf(person)) groups.set(key, [...(groups.get(key) ?? []), person])
  return groups
}

/** Only of a first and a last name: many people are called Ana. */
const keysOf = ({ first_name = '', last_name = '' }: Partial<ParticipantRow>): Iterable<string> =>
  first_name === '' || last_name === '' ? [] : nameKeys(fullNameOf({ first_name, last_name }))

/** Two people with different employee numbers are not the same. */
function findNamesakes({ values }: SourceParticipant, byName: ReadonlyMap<string, ParticipantRow[]>): ParticipantRow[] {
  const people = new Set([...keysOf(values)].flatMap((key) => byName.get(key) ?? []))
  const number = identityValue('employee_no', values)
  return [...people].filter(({ employee_no }) => employee_no === '' || number === '' || employee_no === number)
}

/** Where `ACCESS` was open, anyone may have changed the address in a profile, so the one to sign in with counts as well. */
function hasOtherAddress({ values }: SourceParticipant, person: ParticipantRow, login: string | undefined): boolean {
  const [given, profile] = [identityValue('email', values), identityValue('email', person)]
  return given !== '' && profile !== '' && given !== profile && given !== login
}
