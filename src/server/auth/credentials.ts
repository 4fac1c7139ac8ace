import type { Role } from '../../contract/access.ts'
import type { CredentialKind } from '../../contract/me.ts'
import type { Context } from '../context.ts'
import { isFuture } from '../core/clock.ts'
import { noOrganizer, noParticipant, type ParticipantId } from '../core/ids.ts'
import { dayMs } from '../core/time-units.ts'
import { appendChange } from '../log/changes/log.ts'
import { endedByRestore } from '../log/ledger/entries.ts'
import type { PersonalScope, WriteScope } from '../scope.ts'
import type { Row } from '../storage/db/tables.ts'
import {
  deleteCredentials,
  findEnded,
  type Holder,
  listUnrevoked,
  listUnrevokedOf,
  listUnrevokedOfParticipants,
  markRevoked,
} from './credential-store.ts'
import { rolesOf } from './roles.ts'
import { isIdle, longestIdleMs } from './session-limits.ts'

/**
 * Revokes a credential: no request with it succeeds any more.
 * @returns whether there was a credential with this id that was not revoked
 */
export async function revokeCredential(scope: WriteScope, id: number): Promise<boolean> {
  if (!(await markRevoked(scope.db, id, scope.now))) return false
  await appendChange(scope, { kind: 'credential.revoked', record: id })
  return true
}

/** Revokes everything that a restored backup must not bring back: sessions and invitations. @returns their ids */
export async function revokeSessionsAndInvitations(scope: WriteScope): Promise<number[]> {
  const ids = await listUnrevoked(scope.db, endedByRestore)
  for (const id of ids) await revokeCredential(scope, id)
  return ids
}

/** Revokes all credentials of a holder, or those of one kind. */
export async function revokeCredentialsOf(scope: WriteScope, holder: Holder, kind?: CredentialKind): Promise<void> {
  for (const { id, ...credential } of await listUnrevokedOf(scope.db, holder))
    if (kind === undefined || credential.kind === kind) await revokeCredential(scope, id)
}

/** Ends the sessions of a participant, and invitations that would start another. */
export async function signOutParticipant(scope: WriteScope, participant: ParticipantId): Promise<void> {
  const holder = { participant, organizer: noOrganizer }
  for (const kind of ['session', 'invitation'] as const) await revokeCredentialsOf(scope, holder, kind)
}

/** The credentials of the sender that can be used, newest first. A key of nobody in particular has only itself. */
export async function listOwnCredentials({ db, now, principal }: PersonalScope): Promise<Row<'credential'>[]> {
  const all = await listUnrevokedOf(db, principal)
  const isOfSomebody = principal.participant !== noParticipant || principal.organizer !== noOrganizer
  return all.filter(({ id }) => isOfSomebody || id === principal.credential).filter(isUsableAt(now))
}

/** The credentials of a participant that can be used. */
export async function listUsableOf(
  { db, now }: PersonalScope,
  participant: ParticipantId,
): Promise<Row<'credential'>[]> {
  const all = await listUnrevokedOf(db, { participant, organizer: noOrganizer })
  return all.filter(isUsableAt(now))
}

/** Those of these participants who have an invitation that can be used, and those who need none. */
export async function findWhoCanSignIn(
  { db, now }: Pick<PersonalScope, 'db' | 'now'>,
  participants: ParticipantId[],
): Promise<{ invited: Set<ParticipantId>; signedIn: Set<ParticipantId> }> {
  const usable = (await listUnrevokedOfParticipants(db, participants)).filter(isUsableAt(now))
  const [invitations, others] = [usable.filter(isInvitation), usable.filter((credential) => !isInvitation(credential))]
  return {
    invited: new Set(invitations.filter(({ created_at }) => !isFuture(created_at, now)).map(holderOf)),
    signedIn: new Set(others.map(holderOf)),
  }
}

const isInvitation = ({ kind }: Row<'credential'>): boolean => kind === 'invitation'

const holderOf = ({ participant_id }: Row<'credential'>): ParticipantId => participant_id

const isUsableAt = (now: number) => (credential: Row<'credential'>) =>
  (credential.expires_at === 0 || credential.expires_at > now) && !isIdle(credential, now)

/** The roles of the usable keys of a participant. */
export async function findRolesOf(
  { db, now }: Pick<PersonalScope, 'db' | 'now'>,
  participant: ParticipantId,
): Promise<Role[]> {
  const all = await listUnrevokedOf(db, { participant, organizer: noOrganizer })
  return all.filter(({ expires_at }) => expires_at === 0 || expires_at > now).flatMap(({ roles }) => rolesOf(roles))
}

/** How long sessions and invitations stay once they have ended, so that operators can investigate an incident. */
const storedMs = 30 * dayMs

/** Rows deleted in one transaction. */
const batchSize = 500

/**
 * Deletes invitations, and sessions of participants, that ended long ago. The log names them by their ids, which stay.
 * @param isStopped asked between short transactions
 */
export async function deleteEndedCredentials(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const by = clock() - storedMs
  while (!isStopped()) {
    const ids = await findEnded(database.read, { by, unusedSince: by - longestIdleMs }, batchSize)
    if (ids.length === 0) return
    await database.transaction((tx) => deleteCredentials(tx, ids))
  }
}
