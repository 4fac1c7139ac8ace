import type { participantChanges } from '../../../../contract/imports.ts'
import { assertMayLetSignIn } from '../../../auth/policies.ts'
import { formatDifference, quote } from '../../../core/clean-text.ts'
import type { ParticipantId } from '../../../core/ids.ts'
import { isHttpUrl } from '../../../core/links.ts'
import { type ChangeFilter, readMatchingChanges } from '../../../log/changes/find-changes.ts'
import type { WriteScope } from '../../../scope.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { setLoginEmail } from '../../participants/login-emails.ts'
import { compareParticipant, loginDifference, participantLabels } from '../../participants/participant-differences.ts'
import { addParticipant, fullNameOf, listAllParticipants, updateParticipant } from '../../participants/participants.ts'
import type { RecordWrite } from '../../revisions/record-revision.ts'
import { findNewestOf } from '../../revisions/store.ts'
import { invalidPhoto } from '../csv/participants-csv.ts'
import type { ImportWarning, SourceParticipant } from '../source.ts'
import { type ChangedAddress, findChangedAddresses } from './changed-addresses.ts'
import { type KnownLogins, loadLogins, planLogin } from './login-plan.ts'
import { findConflicts } from './participant-conflicts.ts'
import { type IdentityConflict, matchParticipants, type ParticipantRow } from './participant-identities.ts'

/** The change that an import would make to one participant. */
export interface PlannedParticipant {
  change: (typeof participantChanges)[number]
  participant: SourceParticipant
  /** The fields that differ, in the organizer's words, with the stored and the new value. */
  differences: string[]
  /** The stored participant; absent for a new one. */
  id?: ParticipantId
  /** The address with which they sign in from now on; absent if that does not change. */
  login?: string
}

export interface ParticipantsPlan {
  participants: PlannedParticipant[]
  /** The rows skipped because two people would share an address or number. */
  warnings: ImportWarning[]
  /** The rows that do not set an address to sign in with. */
  loginWarnings: ImportWarning[]
}

/** What the operator knows about the file. */
export interface PlanChoices {
  /** Whether a row with another address than its participant is that person all the same. */
  samePerson: boolean
}

/**
 * Compares the rows of a file, no two of which share an e-mail address or number, with the stored participants.
 * Participants missing from the file stay unchanged.
 */
export function planParticipants(
  rows: readonly SourceParticipant[],
  stored: readonly ParticipantRow[],
  logins: KnownLogins,
  { samePerson }: PlanChoices,
): ParticipantsPlan {
  const found = matchParticipants(rows, stored)
  const changed = findChangedAddresses(rows, stored, found, logins)
  const matches = new Map(found.matches)
  const skipped = new Map<SourceParticipant, string>()
  for (const [row, change] of changed) {
    const [person] = change.people
    if (samePerson && change.isUnique && person) matches.set(row, person)
    else {
      matches.delete(row)
      skipped.set(row, describeChangedAddress(row, change))
    }
  }
  const certain = rows.filter((row) => !skipped.has(row) && !found.ambiguous.has(row))
  const conflicts = new Map([...found.ambiguous, ...findConflicts(certain, stored, matches)])
  for (const [row, conflict] of conflicts) skipped.set(row, describeConflict(row, conflict))
  const warnings = Array.from(skipped, ([{ line }, message]): ImportWarning => ({ line, message, weight: 'skipped' }))
  const loginWarnings: ImportWarning[] = []
  const participants = rows.flatMap((row): PlannedParticipant[] => {
    if (skipped.has(row)) return []
    const person = matches.get(row)
    const participant = hasInvalidPhoto(row, person) ? withoutPhoto(row) : row
    if (participant !== row) warnings.push(invalidPhoto(row.line, row.values.photo ?? ''))
    if (!person && !participant.values.email && !participant.values.employee_no) {
      const message = `No stored participant has the ${participant.key} and this name; row skipped.`
      warnings.push({ line: participant.line, message, weight: 'skipped' })
      return []
    }
    const { login, warning } = planLogin(participant, person?.id, changed.has(row), logins)
    if (warning) loginWarnings.push(warning)
    const planned = { participant, ...(login !== undefined && { login }) }
    if (!person) return [{ ...planned, change: 'new', differences: [] }]
    const differences = compareParticipant(participant.values, person)
    if (login !== undefined)
      differences.push(formatDifference(loginDifference, logins.present.get(person.id) ?? null, login))
    return [{ ...planned, change: differences.length > 0 ? 'changed' : 'unchanged', differences, id: person.id }]
  })
  return { participants, loginWarnings, warnings: warnings.sort((a, b) => a.line - b.line) }
}

const hasInvalidPhoto = ({ values: { photo } }: SourceParticipant, person: ParticipantRow | undefined): boolean =>
  !!photo && !isHttpUrl(photo) && photo !== person?.photo

function withoutPhoto({ values, ...participant }: SourceParticipant): SourceParticipant {
  const { photo: _, ...others } = values
  return { ...participant, values: others }
}

const describeConflict = ({ values }: SourceParticipant, { field, people }: IdentityConflict): string =>
  `The ${participantLabels[field]} ${quote(values[field] ?? '')} already belongs to ${listPeople(people)}; row skipped.`

function describeChangedAddress({ values }: SourceParticipant, { people, isKnown, isUnique }: ChangedAddress): string {
  const known = people
    .slice(0, maxNamedPeople)
    .map((person) => `participant ${person.id}, ${quote(fullNameOf(person))}, has the address ${quote(person.email)}`)
    .join(', and ')
  const advice = [
    ...(isUnique ? ['If this is the same person, add --same-person.'] : []),
    ...(isKnown
      ? []
      : ['If this is somebody else, add the row of the other to the file, or employee numbers for both.']),
  ]
  const sentence = known.charAt(0).toUpperCase() + known.slice(1)
  return [`${sentence}, but this row ${quote(values.email ?? '')}; row skipped.`, ...advice].join(' ')
}

/** People named in one warning; any others are only counted. */
const maxNamedPeople = 3

function listPeople(people: readonly ParticipantRow[]): string {
  const names = people.slice(0, maxNamedPeople).map(({ first_name, last_name, email, employee_no }) => {
    const ids = [email, employee_no].filter(Boolean).join(', ')
    return [first_name, last_name, `<${ids}>`].filter(Boolean).join(' ')
  })
  const more = people.length - maxNamedPeople
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

/**
 * Prepares the writes that add and update participants from the rows of a file, in the transaction of `scope`. The plan
 * is recomputed within it.
 */
export async function prepareParticipants(
  scope: WriteScope,
  rows: readonly SourceParticipant[],
  choices: PlanChoices,
): Promise<{ plan: ParticipantsPlan; writes: RecordWrite[] }> {
  const plan = planParticipants(rows, await listAllParticipants(scope.db), await loadLogins(scope.db), choices)
  return { plan, writes: toParticipantWrites(scope, plan.participants) }
}

/** The writes of a plan, in the transaction of `scope`. */
export const toParticipantWrites = (scope: WriteScope, plan: readonly PlannedParticipant[]): RecordWrite[] =>
  plan
    .filter(({ change }) => change !== 'unchanged')
    .map((planned) => ({ kind: 'participant', id: planned.id, write: () => applyParticipant(scope, planned) }))

/** @throws Failure FORBIDDEN, see `assertMayLetSignIn` */
async function applyParticipant(
  scope: WriteScope,
  { participant: { values }, id: knownId, login }: PlannedParticipant,
): Promise<ParticipantId> {
  const id = knownId ?? (await addParticipant(scope, values))
  if (knownId !== undefined) await updateParticipant(scope, { ...values, participantId: id })
  if (login !== undefined) {
    await assertMayLetSignIn(scope, id)
    await setLoginEmail(scope, id, login)
  }
  return id
}

/**
 * Counts the participants who were erased since the last import of participants. Nothing that would identify them is
 * stored, so an import creates again those who are still in its file.
 */
export async function countErasedSinceImport(db: Db): Promise<number> {
  const last = await findNewestOf(db, 'import participants')
  if (!last) return 0
  const erased = new Set<number>()
  const filter: ChangeFilter = { kinds: ['participant.forgotten', 'participant.anonymized'], since: last.at }
  for await (const changes of readMatchingChanges(db, filter))
    for (const { record_id } of changes) erased.add(record_id)
  return erased.size
}
