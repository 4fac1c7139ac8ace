import type { Data } from '../../../contract/index.ts'
import { findWhoCanSignIn } from '../../auth/credentials.ts'
import { createInvitation } from '../../auth/invitations.ts'
import { assertMayLetSignIn } from '../../auth/policies.ts'
import { noOrganizer, type ParticipantId } from '../../core/ids.ts'
import type { HandlerInput } from '../../operation.ts'
import type { WriteScope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'
import { listLoginEmails, setLoginEmail as storeLoginEmail } from '../participants/login-emails.ts'
import { getProfile, listAllParticipants } from '../participants/participants.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'

/**
 * Creates a link with which a participant signs in once.
 * @throws Failure PARTICIPANT_NOT_FOUND, SUMMIT_ENDED, FORBIDDEN, see `assertMayLetSignIn`
 */
export async function inviteParticipant(
  scope: WriteScope,
  participant: ParticipantId,
): Promise<Data<'inviteParticipant'>> {
  await getProfile(scope, participant)
  await assertMayLetSignIn(scope, participant)
  const expiresAt = await findEndOfAttendance(scope)
  const secret = await createInvitation(scope, { participant, organizer: noOrganizer, expiresAt })
  return { invitation: { link: scope.links.signIn(secret), expires_at: scope.timestamp(expiresAt) } }
}

/**
 * Sets the address with which a participant signs in.
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED, LOGIN_EMAIL_TAKEN, FORBIDDEN, see `assertMayLetSignIn`
 */
export async function setLoginEmail(
  scope: WriteScope,
  { participantId, email }: HandlerInput<'setLoginEmail'>,
): Promise<Data<'setLoginEmail'>> {
  await assertMayLetSignIn(scope, participantId)
  return { login_email: await storeLoginEmail(scope, participantId, email) }
}

export interface InvitedParticipant {
  participant: Row<'participant'>
  /** The address with which they sign in; '' for none. */
  loginEmail: string
  link: string
}

interface InvitedParticipants {
  /** By last name, as they are looked up when links are handed out. */
  invited: InvitedParticipant[]
  /** As in responses. */
  expiresAt: string
  /** The number of those who got no link, as they have a session, a key or a secret URL. */
  signedIn: number
  /** As codes are sent to them. */
  withCodes: number
  /** As they have a link that they have not used. */
  withLink: number
}

/**
 * Creates a link for each participant who has no way to sign in, and is not signed in.
 * @param replace whether a link that was not used counts for nothing; the new one replaces it
 * @throws Failure SUMMIT_ENDED, FORBIDDEN, see `assertMayLetSignIn`
 */
export async function inviteParticipants(
  scope: WriteScope,
  { replace }: { replace: boolean },
): Promise<InvitedParticipants> {
  const participants = (await listAllParticipants(scope.db)).sort(compareNames)
  const ids = participants.map(({ id }) => id)
  const emails = await listLoginEmails(scope.db, ids)
  const { signedIn, invited } = await findWhoCanSignIn(scope, ids)
  const wayOf = (id: ParticipantId) => {
    if (signedIn.has(id)) return 'signedIn'
    if (scope.sendsMail && emails.has(id)) return 'withCodes'
    return invited.has(id) && !replace ? 'withLink' : 'none'
  }
  const byWay = Map.groupBy(participants, ({ id }) => wayOf(id))

  const expiresAt = await findEndOfAttendance(scope)
  const created: InvitedParticipant[] = []
  for (const participant of byWay.get('none') ?? []) {
    await assertMayLetSignIn(scope, participant.id)
    const secret = await createInvitation(scope, { participant: participant.id, organizer: noOrganizer, expiresAt })
    created.push({ participant, loginEmail: emails.get(participant.id) ?? '', link: scope.links.signIn(secret) })
  }
  const count = (way: ReturnType<typeof wayOf>) => byWay.get(way)?.length ?? 0
  return {
    invited: created,
    expiresAt: scope.timestamp(expiresAt),
    signedIn: count('signedIn'),
    withCodes: count('withCodes'),
    withLink: count('withLink'),
  }
}

const { compare } = new Intl.Collator('en')

const compareNames = (a: Row<'participant'>, b: Row<'participant'>): number =>
  compare(a.last_name, b.last_name) || compare(a.first_name, b.first_name) || a.id - b.id
