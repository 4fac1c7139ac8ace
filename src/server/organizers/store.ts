import type { Role } from '../../contract/access.ts'
import { rolesOf } from '../access/roles.ts'
import { noOrganizer, type OrganizerId } from '../core/ids.ts'
import type { Db, Row } from '../db/tables.ts'

/** All organizers who have not been removed, by id. */
export const listOrganizerRows = (db: Db): Promise<Row<'organizer'>[]> =>
  db.selectFrom('organizer').selectAll().where('removed_at', '=', 0).orderBy('id').execute()

export const findOrganizerRow = (db: Db, id: OrganizerId): Promise<Row<'organizer'> | undefined> =>
  db.selectFrom('organizer').selectAll().where('id', '=', id).where('removed_at', '=', 0).executeTakeFirst()

/** @param email in lower case @returns also an organizer who has been removed */
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
  values: { roles?: string; removed_at?: number },
): Promise<void> {
  await db.updateTable('organizer').set(values).where('id', '=', id).execute()
}

/** Whether there is an organizer with a role, other than the given one. */
export async function hasOrganizerWith(db: Db, role: Role, otherThan: OrganizerId = noOrganizer): Promise<boolean> {
  const others = (await listOrganizerRows(db)).filter(({ id }) => id !== otherThan)
  return others.some(({ roles }) => rolesOf(roles).includes(role))
}
