import { rolesOf } from '../../auth/roles.ts'
import type { OrganizerId } from '../../core/ids.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'

/** All organizers who have not been removed, by id. */
export const listOrganizerRows = (db: Db): Promise<Row<'organizer'>[]> =>
  db.selectFrom('organizer').selectAll().where('removed_at', '=', 0).orderBy('id').execute()

export const findOrganizerRow = (db: Db, id: OrganizerId): Promise<Row<'organizer'> | undefined> =>
  db.selectFrom('organizer').selectAll().where('id', '=', id).where('removed_at', '=', 0).executeTakeFirst()

/** @param email in lower case, which an organizer who has been removed has no more */
export const findByEmail = (db: Db, email: string): Promise<Row<'organizer'> | undefined> =>
  db.selectFrom('organizer').selectAll().where('email', '=', email).executeTakeFirst()

export async function insertOrganizer(
  db: Db,
  organizer: { email: string; roles: string; created_at: number },
): Promise<OrganizerId> {
  const { id } = await db.insertInto('organizer').values(organizer).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function changeOrganizer(
  db: Db,
  id: OrganizerId,
  values: { roles?: string; email?: string; removed_at?: number },
): Promise<void> {
  await db.updateTable('organizer').set(values).where('id', '=', id).execute()
}

/** The owners who have signed in: a link that was never used may have gone to nobody. */
export async function listOwners(db: Db): Promise<OrganizerId[]> {
  const rows = await db
    .selectFrom('organizer')
    .select(['id', 'roles'])
    .where('removed_at', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('credential')
          .select('credential.id')
          .whereRef('credential.organizer_id', '=', 'organizer.id')
          .where('credential.kind', '!=', 'invitation'),
      ),
    )
    .execute()
  return rows.filter(({ roles }) => rolesOf(roles).includes('owner')).map(({ id }) => id)
}

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
