import { type Access, type AccessMode, isForAnyone, type Role, type WriteAccess } from '../../contract/access.ts'
import { Failure } from '../core/failure.ts'
import { noOrganizer, noParticipant, type ParticipantId } from '../core/ids.ts'
import type { Principal } from '../core/principal.ts'

/** Whether a principal may do what organizers with this role may. Where `ACCESS` is `open`, anyone may. */
export const hasRole = ({ audience, roles }: Principal, role: Role): boolean =>
  audience === 'open' || roles.includes(role) || roles.includes('owner')

/**
 * The first check, before the body is read: whether this principal may use an operation at all.
 * @throws Failure UNAUTHENTICATED if it requires a key, FORBIDDEN
 */
export function assertMayUse(access: Access, principal: Principal, mode: AccessMode): void {
  if (isForAnyone(access, mode)) return
  if (principal.audience === 'public') throw new Failure('UNAUTHENTICATED')
  if ('readers' in access || 'signIn' in access) return
  if ('own' in access) {
    if (access.session !== undefined && !isOrganizerInBrowser(principal)) throw new Failure('FORBIDDEN')
    return
  }
  if ('role' in access && principal.participant !== noParticipant) return
  if (!hasRole(principal, 'role' in access ? access.role : access.organizers)) throw new Failure('FORBIDDEN')
}

const isOrganizerInBrowser = ({ kind, organizer }: Principal): boolean =>
  kind === 'session' && organizer !== noOrganizer

/** Members as received. */
type Members = Readonly<Record<string, unknown>>

/**
 * The second check, after parsing and before validation: in whose name a write is. Fills in the participant's own id if
 * it is left out.
 * @param body undefined if it is not an object
 * @throws Failure FORBIDDEN for the name of somebody else
 */
export function withActor(
  access: Access,
  principal: Principal,
  path: Members,
  body: Members | undefined,
): Members | undefined {
  if (principal.audience === 'open' || !hasActor(access)) return body
  const members = { ...body, ...path }
  const given = access.actor.filter((name) => !isLeftOut(members[name]))
  for (const name of given) {
    const id = toId(members[name])
    if (id !== undefined && !mayActFor(principal, id, access.role)) throw new Failure('FORBIDDEN')
  }
  const [first] = access.actor
  if (!body || given.length > 0 || first === undefined || principal.participant === noParticipant) return body
  return { ...body, [first]: principal.participant }
}

const hasActor = (access: Access): access is WriteAccess & { actor: readonly string[] } => 'actor' in access

/** As validation sees it: forms send an empty field for a number that was not entered. */
const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === ''

/** A value that validation may accept as an id; it rejects any other. */
const toId = (value: unknown): ParticipantId | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
    ? (Number(value) as ParticipantId)
    : undefined

/** Whether this principal may write as a participant, or change their records. The records of nobody are the organizers'. */
const mayActFor = (principal: Principal, author: ParticipantId, role: Role): boolean =>
  (author !== noParticipant && author === principal.participant) || hasRole(principal, role)

/**
 * The third check, in the transaction of the write, once the record is known to exist: whose it is.
 * @param author the participant whose record it is, as stored
 * @throws Failure FORBIDDEN
 */
export function assertMayChange(
  { principal, role }: { principal: Principal; role: Role },
  author: ParticipantId,
): void {
  if (!mayActFor(principal, author, role)) throw new Failure('FORBIDDEN')
}
