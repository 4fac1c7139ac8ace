import { type Access, type AccessMode, isForAnyone } from '../../contract/access.ts'
import { Failure } from '../core/failure.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import { mayActFor, type Principal } from '../core/principal.ts'

/**
 * The first check, before the body is read: whether this principal may use an operation at all.
 * @throws Failure UNAUTHENTICATED if one has to sign in, FORBIDDEN
 */
export function assertMayUse(access: Access, { audience, participant, roles }: Principal, mode: AccessMode): void {
  if (audience === 'open') return
  if (audience === 'public') {
    if (isForAnyone(access, mode)) return
    throw new Failure('UNAUTHENTICATED')
  }
  if ('readers' in access || participant !== noParticipant) return
  if (!roles.includes('owner') && !roles.includes(access.role)) throw new Failure('FORBIDDEN')
}

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
  if (principal.audience === 'open' || 'readers' in access || !access.actor) return body
  const members = { ...body, ...path }
  const given = access.actor.filter((name) => !isLeftOut(members[name]))
  for (const name of given)
    if (!mayActFor(principal, Number(members[name]) as ParticipantId, access.role)) throw new Failure('FORBIDDEN')
  const [first] = access.actor
  if (!body || given.length > 0 || first === undefined || principal.participant === noParticipant) return body
  return { ...body, [first]: principal.participant }
}

/** As validation sees it: forms send an empty field for a number that was not entered. */
const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === ''
