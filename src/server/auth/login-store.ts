import type { ParticipantId } from '../core/ids.ts'
import { inChunks } from '../storage/db/in-chunks.ts'
import type { Db, Row } from '../storage/db/tables.ts'

/** The login with an address, of a participant who has not been deleted. @param email in lower case */
export const findLoginByEmail = (db: Db, email: string): Promise<Row<'login'> | undefined> =>
  db
    .selectFrom('login')
    .innerJoin('participant', 'participant.id', 'login.participant_id')
    .selectAll('login')
    .where('login.email', '=', email)
    .where('participant.is_deleted', '=', 0)
    .executeTakeFirst()

/** All logins, or only those of the participants in `ids`. */
export const listLogins = (db: Db, ids?: ParticipantId[]): Promise<Row<'login'>[]> =>
  ids
    ? inChunks(ids, (some) => db.selectFrom('login').selectAll().where('participant_id', 'in', some).execute())
    : db.selectFrom('login').selectAll().execute()

/** Adds or replaces the login of a participant. A participant who has been deleted loses the address. */
export async function saveLogin(db: Db, login: Row<'login'>): Promise<void> {
  await db.deleteFrom('login').where('email', '=', login.email).execute()
  await db
    .insertInto('login')
    .values(login)
    .onConflict((conflict) =>
      conflict.column('participant_id').doUpdateSet({ email: login.email, from_desk: login.from_desk }),
    )
    .execute()
}

export async function deleteLogin(db: Db, id: ParticipantId): Promise<void> {
  await db.deleteFrom('login').where('participant_id', '=', id).execute()
}
