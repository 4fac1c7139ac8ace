import { noParticipant, type ParticipantId } from '../core/ids.ts'
import { inChunks } from '../db/in-chunks.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, NewRow, Row } from '../db/tables.ts'

/** A credential that has not been revoked, of a participant who has not been deleted. It may have expired. */
export type UsableCredential = Pick<Row<'credential'>, 'id' | 'participant_id' | 'roles' | 'expires_at' | 'used_at'>

const usableBySecret = prepared((db, secretSha256: string) =>
  db
    .selectFrom('credential')
    .leftJoin('participant', 'participant.id', 'credential.participant_id')
    .select(['credential.id', 'credential.participant_id', 'credential.roles'])
    .select(['credential.expires_at', 'credential.used_at'])
    .where('credential.secret_sha256', '=', secretSha256)
    .where('credential.revoked_at', '=', 0)
    .where(({ or, eb }) =>
      or([eb('credential.participant_id', '=', noParticipant), eb('participant.is_deleted', '=', 0)]),
    ),
)

export const findUsable = async (db: Db, secretSha256: string): Promise<UsableCredential | undefined> =>
  (await usableBySecret(db, secretSha256))[0]

const unrevokedById = prepared((db, id: number) =>
  db.selectFrom('credential').select('expires_at').where('id', '=', id).where('revoked_at', '=', 0),
)

/** Undefined if it was revoked or deleted. */
export const findUnrevoked = async (db: Db, id: number): Promise<{ expires_at: number } | undefined> =>
  (await unrevokedById(db, id))[0]

export async function insertCredential(db: Db, credential: NewRow<'credential'>): Promise<number> {
  const { id } = await db.insertInto('credential').values(credential).returning('id').executeTakeFirstOrThrow()
  return id
}

/** @returns whether there is a credential with this id that was not revoked */
export async function markRevoked(db: Db, id: number, revoked_at: number): Promise<boolean> {
  const unrevoked = db.updateTable('credential').set({ revoked_at }).where('id', '=', id).where('revoked_at', '=', 0)
  return Number((await unrevoked.executeTakeFirst()).numUpdatedRows) > 0
}

/** The ids of the credentials of these kinds that are not revoked. */
export async function listUnrevoked(db: Db, kinds: readonly string[]): Promise<number[]> {
  const unrevoked = db.selectFrom('credential').select('id').where('kind', 'in', kinds).where('revoked_at', '=', 0)
  return (await unrevoked.orderBy('id').execute()).map(({ id }) => id)
}

export async function markUsed(db: Db, ids: number[], used_at: number): Promise<void> {
  await inChunks(ids, (some) =>
    db.updateTable('credential').set({ used_at }).where('id', 'in', some).returning('id').execute(),
  )
}

export async function deleteCredentialsOf(db: Db, participant: ParticipantId): Promise<void> {
  await db.deleteFrom('credential').where('participant_id', '=', participant).execute()
}

/** All credentials, newest first. */
export const listCredentialRows = (db: Db): Promise<Row<'credential'>[]> =>
  db.selectFrom('credential').selectAll().orderBy('id', 'desc').execute()
