import type { OrganizerId } from '../../core/ids.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'

export const findIdentityRow = (
  db: Db,
  { issuer, subject }: Pick<Row<'organizer_identity'>, 'issuer' | 'subject'>,
): Promise<Row<'organizer_identity'> | undefined> =>
  db
    .selectFrom('organizer_identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const findIdentityOf = (db: Db, organizer: OrganizerId): Promise<Row<'organizer_identity'> | undefined> =>
  db.selectFrom('organizer_identity').selectAll().where('organizer_id', '=', organizer).executeTakeFirst()

export async function insertIdentity(db: Db, identity: NewRow<'organizer_identity'>): Promise<void> {
  await db.insertInto('organizer_identity').values(identity).execute()
}

/** @returns whether the organizer had one */
export async function deleteIdentityOf(db: Db, organizer: OrganizerId): Promise<boolean> {
  const deleted = await db.deleteFrom('organizer_identity').where('organizer_id', '=', organizer).executeTakeFirst()
  return Number(deleted.numDeletedRows) > 0
}
