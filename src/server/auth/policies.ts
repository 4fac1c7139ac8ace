import { type Access, type AccessMode, isForAnyone, type Role, type WriteAccess } from '../../contract/access.ts'
import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../core/failure.ts'
import { noOrganizer, noParticipant, type ParticipantId } from '../core/ids.ts'
import type { Principal } from '../core/principal.ts'
import type { WriteScope } from '../scope.ts'
import { hasCredential } from './credential-store.ts'
import { findRolesOf } from './credentials.ts'

/** Whether a principal is an organizer with this role, or an owner. */
export const hasRole = ({ roles }: Principal, role: Role): boolean => roles.includes(role) || roles.includes('owner')

/** Whether a principal may write for any participant, as organizers with this role may, and anyone where `ACCESS` is `open`. */
export const mayActForAnyone = (principal: Principal, role: Role): boolean =>
  principal.audience === 'open' || hasRole(principal, role)

/** Whether a way to sign in that this principal gives out comes from the desk: from somebody other than an owner. */
export const isIssuedByDesk = (principal: Principal): boolean => !hasRole(principal, 'owner')

/** @throws Failure FORBIDDEN if a principal may not do what organizers with these roles may */
export function assertHasRoles(principal: Principal, roles: readonly Role[]): void {
  if (!roles.every((role) => hasRole(principal, role))) throw new Failure('FORBIDDEN')
}

/**
 * Whether an organizer may give out a way to sign in as a participant.
 * @throws Failure FORBIDDEN for one who holds a key with roles, except by an owner
 */
export async function assertMayLetSignIn(scope: WriteScope, participant: ParticipantId): Promise<void> {
  if ((await findRolesOf(scope, participant)).length > 0) assertHasRoles(scope.principal, ['owner'])
}

/**
 * The first check, before the body is read: whether this principal may use an operation at all.
 * @throws Failure UNAUTHENTICATED if it requires a key, FORBIDDEN
 */
export function assertMayUse(
  { access, method }: Pick<Operation, 'access' | 'method'>,
  principal: Principal,
  mode: AccessMode,
): void {
  if ('signIn' in access && principal.kind !== '' && principal.kind !== 'session') throw new Failure('FORBIDDEN')
  if (isForAnyone(access, mode)) return
  if (principal.audience === 'public' || principal.audience === 'open') throw new Failure('UNAUTHENTICATED')
  if ('readers' in access || 'signIn' in access) return
  if (principal.app) {
    if ('role' in access && (method === 'POST' || principal.app === 'change')) return
    throw new Failure('FORBIDDEN')
  }
  if ('own' in access) {
    if (principal.kind === 'personal' && !access.atSecretUrl) throw new Failure('FORBIDDEN')
    if (access.session !== undefined && !isOrganizerInBrowser(principal)) throw new Failure('FORBIDDEN')
    return
  }
  if ('role' in access && principal.participant !== noParticipant) return
  const role = 'role' in access ? access.role : access.organizers
  if (role === 'any' ? principal.roles.length === 0 : !hasRole(principal, role)) throw new Failure('FORBIDDEN')
}

/** Whether this principal may use an operation at all. */
export function mayUse(...args: Parameters<typeof assertMayUse>): boolean {
  try {
    assertMayUse(...args)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
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

/**
 * Whether this principal may write as a participant, or change their records; an app only until the participant gets
 * a credential of their own ({@link assertUnclaimed}). The records of nobody are the organizers'.
 */
const mayActFor = (principal: Principal, author: ParticipantId, role: Role): boolean =>
  (author !== noParticipant && (author === principal.participant || principal.app !== undefined)) ||
  mayActForAnyone(principal, role)

/** @throws Failure FORBIDDEN if the sender is an app, and one of these participants has acted as themselves, or can */
async function assertUnclaimed(
  { db, principal }: Pick<WriteScope, 'db' | 'principal'>,
  participants: ParticipantId[],
): Promise<void> {
  if (!principal.app || participants.length === 0) return
  if (await hasCredential(db, participants)) throw new Failure('FORBIDDEN')
}

/**
 * The second check again, in the transaction of the write. An app names no participant who has ever had a credential, so
 * that signing out gives nobody back to it.
 * @param values the validated input of the operation
 * @throws Failure FORBIDDEN
 */
export async function assertMayName(
  scope: Pick<WriteScope, 'db' | 'principal'>,
  access: Access,
  values: Members,
): Promise<void> {
  const names = 'actor' in access ? (access.actor ?? []) : []
  await assertUnclaimed(
    scope,
    names.flatMap((name) => toId(values[name]) ?? []),
  )
}

/**
 * The third check, in the transaction of the write, once the record is known to exist: whose it is. Work that precedes the
 * transaction may make it before, too.
 * @param author the participant whose record it is, as stored
 * @throws Failure FORBIDDEN
 */
export async function assertMayChange(
  scope: Pick<WriteScope, 'db' | 'principal' | 'role'>,
  author: ParticipantId,
): Promise<void> {
  if (!mayActFor(scope.principal, author, scope.role)) throw new Failure('FORBIDDEN')
  await assertUnclaimed(scope, [author])
}
