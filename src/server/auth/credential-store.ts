import type { CredentialKind } from '../../contract/me.ts'
import { type CredentialId, noOrganizer, noParticipant, type OrganizerId, type ParticipantId } from '../core/ids.ts'
import { inChunks } from '../storage/db/in-chunks.ts'
import { prepared } from '../storage/db/prepared.ts'
import type { Db, NewRow, Row } from '../storage/db/tables.ts'

/** An app has no roles; in their place: it may change and delete records of participants. */
export const changeScope = 'change'

/** In place of roles: marks an invitation without a holder, which creates the first owner. */
export const setupScope = 'setup'

/** In place of roles: marks the session of an app, which sends its secret in a header. */
export const headerScope = 'header'

/** The holder of a credential: a participant, an organizer, or neither. */
export interface Holder {
  participant: ParticipantId
  organizer: OrganizerId
}

const usable = (db: Db) =>
  db
    .selectFrom('credential')
    .leftJoin('participant', 'participant.id', 'credential.participant_id')
    .leftJoin('organizer', 'organizer.id', 'credential.organizer_id')
    .select(['credential.id', 'credential.kind', 'credential.participant_id', 'credential.organizer_id'])
    .select(['credential.passkey_id', 'credential.roles', 'organizer.roles as organizer_roles'])
    .select(['credential.created_at', 'credential.expires_at', 'credential.used_at', 'credential.from_desk'])
    .where('credential.revoked_at', '=', 0)
    .where(({ or, eb }) =>
      or([eb('credential.participant_id', '=', noParticipant), eb('participant.is_deleted', '=', 0)]),
    )
    .where(({ or, eb }) => or([eb('credential.organizer_id', '=', noOrganizer), eb('organizer.removed_at', '=', 0)]))

const usableBySecret = prepared((db, secretSha256: string) =>
  usable(db).where('credential.secret_sha256', '=', secretSha256),
)

const usableById = prepared((db, id: number) => usable(db).where('credential.id', '=', id))

/**
 * A credential that has not been revoked, of a participant who has not been deleted or an organizer who has not been
 * removed. It may have expired.
 */
export type UsableCredential = Awaited<ReturnType<typeof usableById>>[number]

export const findUsable = async (db: Db, secretSha256: string): Promise<UsableCredential | undefined> =>
  (await usableBySecret(db, secretSha256))[0]

export const findUsableById = async (db: Db, id: number): Promise<UsableCredential | undefined> =>
  (await usableById(db, id))[0]

const idBySecret = prepared((db, secretSha256: string) =>
  db.selectFrom('credential').select('id').where('secret_sha256', '=', secretSha256),
)

/** The id of a credential, also if it cannot be used any more. */
export const findIdOf = async (db: Db, secretSha256: string): Promise<number | undefined> =>
  (await idBySecret(db, secretSha256))[0]?.id

/** The label of a credential, also if it cannot be used any more; '' for none. */
export const findLabel = async (db: Db, secretSha256: string): Promise<string> =>
  (await db.selectFrom('credential').select('label').where('secret_sha256', '=', secretSha256).executeTakeFirst())
    ?.label ?? ''

/** Whether one of these participants has ever had a credential other than an invitation. */
export async function hasCredential(db: Db, participants: ParticipantId[]): Promise<boolean> {
  const credential = db
    .selectFrom('credential')
    .select('id')
    .where('participant_id', 'in', participants)
    .where('kind', '!=', 'invitation')
    .limit(1)
  return (await credential.executeTakeFirst()) !== undefined
}

export async function insertCredential(db: Db, credential: NewRow<'credential'>): Promise<CredentialId> {
  const { id } = await db.insertInto('credential').values(credential).returning('id').executeTakeFirstOrThrow()
  return id as CredentialId
}

/** @returns whether there is a credential with this id that was not revoked */
export async function markRevoked(db: Db, id: number, revoked_at: number): Promise<boolean> {
  const unrevoked = db.updateTable('credential').set({ revoked_at }).where('id', '=', id).where('revoked_at', '=', 0)
  return Number((await unrevoked.executeTakeFirst()).numUpdatedRows) > 0
}

/** The unrevoked credentials of these participants, in no particular order. */
export const listUnrevokedOfParticipants = (db: Db, participants: ParticipantId[]): Promise<Row<'credential'>[]> =>
  inChunks(participants, (some) =>
    db
      .selectFrom('credential')
      .selectAll()
      .where('participant_id', 'in', some)
      .where('organizer_id', '=', noOrganizer)
      .where('revoked_at', '=', 0)
      .execute(),
  )

/** The ids of the credentials of these kinds that are not revoked. */
export async function listUnrevoked(db: Db, kinds: readonly string[]): Promise<number[]> {
  const unrevoked = db.selectFrom('credential').select('id').where('kind', 'in', kinds).where('revoked_at', '=', 0)
  return (await unrevoked.orderBy('id').execute()).map(({ id }) => id)
}

/** Marks an invitation as used, which succeeds once. @returns whether it did */
export async function markRedeemed(db: Db, id: number, now: number): Promise<boolean> {
  const unused = db.updateTable('credential').set({ revoked_at: now, used_at: now }).where('id', '=', id)
  return Number((await unused.where('revoked_at', '=', 0).executeTakeFirst()).numUpdatedRows) > 0
}

/**
 * Stores the last uses of credentials, to the second, unless a later one is stored already.
 * @param uses times by id, in milliseconds since 1970
 */
export async function markUsed(db: Db, uses: ReadonlyMap<number, number>): Promise<void> {
  for (const [used_at, some] of Map.groupBy(uses, ([, usedAt]) => Math.floor(usedAt / 1000) * 1000))
    await inChunks(
      some.map(([id]) => id),
      (ids) =>
        db
          .updateTable('credential')
          .set({ used_at })
          .where('id', 'in', ids)
          .where('used_at', '<', used_at)
          .returning('id')
          .execute(),
    )
}

/** The unrevoked credentials of exactly this holder, newest first. */
export const listUnrevokedOf = (db: Db, { participant, organizer }: Holder): Promise<Row<'credential'>[]> =>
  db
    .selectFrom('credential')
    .selectAll()
    .where('participant_id', '=', participant)
    .where('organizer_id', '=', organizer)
    .where('revoked_at', '=', 0)
    .orderBy('id', 'desc')
    .execute()

/** The end of sessions and invitations, in milliseconds since 1970. */
interface Ended {
  /** The time by which they were revoked or used up, or have expired. */
  by: number
  /** The time after which sessions were not used. */
  unusedSince: number
}

/**
 * The ids of invitations, and of sessions of participants, that have ended. Sessions of organizers are not among them:
 * they identify the organizers in the log. Neither is the newest of each holder and kind: it shows whether somebody has
 * ever signed in, and after a move the ids above the highest are assigned again.
 */
export async function findEnded(db: Db, { by, unusedSince }: Ended, limit: number): Promise<number[]> {
  const ended = db
    .selectFrom('credential')
    .select('id')
    .where(({ or, and, eb }) =>
      or([eb('kind', '=', 'invitation'), and([eb('kind', '=', 'session'), eb('organizer_id', '=', noOrganizer)])]),
    )
    .where(({ or, and, eb }) =>
      or([
        and([eb('revoked_at', '>', 0), eb('revoked_at', '<=', by)]),
        and([eb('expires_at', '>', 0), eb('expires_at', '<=', by)]),
        and([eb('kind', '=', 'session'), eb('used_at', '<=', unusedSince)]),
      ]),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('credential as newer')
          .select('newer.id')
          .whereRef('newer.participant_id', '=', 'credential.participant_id')
          .whereRef('newer.organizer_id', '=', 'credential.organizer_id')
          .whereRef('newer.kind', '=', 'credential.kind')
          .whereRef('newer.id', '>', 'credential.id'),
      ),
    )
  return (await ended.limit(limit).execute()).map(({ id }) => id)
}

export async function deleteCredentials(db: Db, ids: number[]): Promise<void> {
  await db.deleteFrom('credential').where('id', 'in', ids).execute()
}

/** All credentials of these kinds, newest first. */
export const listCredentialRows = (db: Db, kinds: readonly CredentialKind[]): Promise<Row<'credential'>[]> =>
  db.selectFrom('credential').selectAll().where('kind', 'in', kinds).orderBy('id', 'desc').execute()
