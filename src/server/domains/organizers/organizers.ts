import type { Role } from '../../../contract/access.ts'
import type { Data } from '../../../contract/index.ts'
import { revokeCredentialsOf } from '../../auth/credentials.ts'
import { createInvitation } from '../../auth/invitations.ts'
import { removePasskeysOf } from '../../auth/passkeys/passkeys.ts'
import { parseRoles, rolesOf } from '../../auth/roles.ts'
import { splitList } from '../../config/list.ts'
import { Failure, invalidField } from '../../core/failure.ts'
import { noParticipant, type OrganizerId } from '../../core/ids.ts'
import { dayMs } from '../../core/time-units.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import { normalizeMailAddress, readMailAddress } from '../../platform/mail/mail-address.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { disconnect } from './identities.ts'
import {
  changeOrganizer,
  findByEmail,
  findOrganizerRow,
  insertOrganizer,
  listOrganizerRows,
  listOwners,
} from './store.ts'

type Organizer = Data<'listOrganizers'>['organizers'][number]

/** How long an organizer may use the link of an invitation. */
const invitationMs = 14 * dayMs

export async function listOrganizers(scope: Scope): Promise<Data<'listOrganizers'>> {
  return { organizers: (await listOrganizerRows(scope.db)).map((row) => toOrganizer(row, scope)) }
}

/** @throws Failure ORGANIZER_NOT_FOUND also if they have been removed */
export const getOrganizer = async (scope: Scope, id: OrganizerId): Promise<Organizer> =>
  toOrganizer(await getRow(scope.db, id), scope)

/**
 * Adds an organizer, or changes the roles of one, and creates a link with which they sign in once.
 * @throws Failure VALIDATION_FAILED, LAST_OWNER
 */
export async function inviteOrganizer(
  scope: WriteScope,
  { email, roles }: HandlerInput<'inviteOrganizer'>,
): Promise<Data<'inviteOrganizer'>> {
  const organizer = await saveOrganizer(scope, email, readRoles(roles))
  const expiresAt = scope.now + invitationMs
  const secret = await createInvitation(scope, { participant: noParticipant, organizer, expiresAt })
  const invitation = { link: scope.links.signIn(secret), expires_at: scope.timestamp(expiresAt) }
  return { organizer: await getOrganizer(scope, organizer), invitation }
}

/** @throws Failure VALIDATION_FAILED, LAST_OWNER */
export async function saveOrganizer(scope: WriteScope, text: string, roles: readonly Role[]): Promise<OrganizerId> {
  const email = readMailAddress(text)
  const known = await findByEmail(scope.db, email)
  if (known) {
    await changeRoles(scope, known, roles)
    return known.id
  }
  const id = await insertOrganizer(scope.db, { email, roles: roles.join(','), created_at: scope.now })
  await appendChange(scope, { kind: 'organizer.created', record: id })
  return id
}

/** @throws Failure ORGANIZER_NOT_FOUND, VALIDATION_FAILED, LAST_OWNER */
export async function changeOrganizerRoles(
  scope: WriteScope,
  { organizer_id, roles }: HandlerInput<'changeOrganizerRoles'>,
): Promise<Data<'changeOrganizerRoles'>> {
  await changeRoles(scope, await getRow(scope.db, organizer_id), readRoles(roles))
  return { organizer: await getOrganizer(scope, organizer_id) }
}

async function changeRoles(
  scope: WriteScope,
  { id, roles }: Row<'organizer'>,
  changed: readonly Role[],
): Promise<void> {
  if (roles === changed.join(',')) return
  if (!changed.includes('owner')) await assertNotLastOwner(scope.db, id)
  await changeOrganizer(scope.db, id, { roles: changed.join(',') })
  await appendChange(scope, { kind: 'organizer.updated', record: id })
}

/**
 * Ends the sessions, keys, passkeys and invitations of an organizer, disconnects their account, and erases their
 * address: the log refers to them by id. An organizer who is added again gets another id.
 * @throws Failure ORGANIZER_NOT_FOUND, LAST_OWNER
 */
export async function removeOrganizer(scope: WriteScope, id: OrganizerId): Promise<Data<'removeOrganizer'>> {
  await getRow(scope.db, id)
  await assertNotLastOwner(scope.db, id)
  await endOrganizer(scope, id)
  return {}
}

/** Ends every way in which an organizer signs in: they have to be invited again. */
export async function endSignIns(scope: WriteScope, id: OrganizerId): Promise<void> {
  await revokeCredentialsOf(scope, { participant: noParticipant, organizer: id })
  await disconnect(scope, id)
  await removePasskeysOf(scope, id)
}

/** Removes an organizer, also the last owner. @returns whether there was one */
export async function endOrganizer(scope: WriteScope, id: OrganizerId): Promise<boolean> {
  if (!(await findOrganizerRow(scope.db, id))) return false
  // The column is unique, and no address has this form.
  await changeOrganizer(scope.db, id, { email: `removed ${id}`, removed_at: scope.now })
  await endSignIns(scope, id)
  await appendChange(scope, { kind: 'organizer.removed', record: id })
  return true
}

/** The organizer with an e-mail address, in any case. */
export const findOrganizer = (db: Db, email: string): Promise<Row<'organizer'> | undefined> =>
  findByEmail(db, normalizeMailAddress(email))

/** The e-mail addresses of all organizers who have not been removed. */
export const listAddresses = async (db: Db): Promise<Map<OrganizerId, string>> =>
  new Map((await listOrganizerRows(db)).map(({ id, email }) => [id, email]))

/** Whether an owner has signed in. */
export const hasOwner = async (db: Db): Promise<boolean> => (await listOwners(db)).length > 0

async function getRow(db: Db, id: OrganizerId): Promise<Row<'organizer'>> {
  const row = await findOrganizerRow(db, id)
  if (!row) throw new Failure('ORGANIZER_NOT_FOUND')
  return row
}

/** Whether an organizer is an owner, and no other owner has signed in. */
export async function isLastOwner(db: Db, id: OrganizerId): Promise<boolean> {
  const owners = await listOwners(db)
  return owners.length === 1 && owners[0] === id
}

/** Writes run one after the other, on all servers, so that two owners cannot remove each other. */
async function assertNotLastOwner(db: Db, id: OrganizerId): Promise<void> {
  if (await isLastOwner(db, id)) throw new Failure('LAST_OWNER')
}

/** @throws Failure VALIDATION_FAILED */
function readRoles(text: string): Role[] {
  const parsed = parseRoles(splitList(text))
  if ('roles' in parsed && parsed.roles.length > 0) return parsed.roles
  throw invalidField('roles', 'NOT_ROLES', 'roles must be roles, separated by commas.')
}

const toOrganizer = (row: Row<'organizer'>, { timestamp }: Scope): Organizer => ({
  id: String(row.id),
  email: row.email,
  roles: rolesOf(row.roles),
  created_at: timestamp(row.created_at),
})
