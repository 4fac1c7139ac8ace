import type { Data } from '../../../contract/index.ts'
import { noOrganizer, type OrganizerId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { deleteIdentityOf, findIdentityOf, findIdentityRow, findOrganizerRow, insertIdentity } from './store.ts'

/** An account at an identity provider (OpenID Connect Core 1.0, 5.7), and what the provider calls it. */
export type Identity = Pick<Row<'organizer_identity'>, 'issuer' | 'subject' | 'name'>

/**
 * The organizer who has connected an account: nothing else that the identity provider says about it, such as an e-mail
 * address, makes it somebody's.
 */
export async function findOrganizerOf(db: Db, identity: Identity): Promise<OrganizerId | undefined> {
  const found = await findIdentityRow(db, identity)
  return found && (await findOrganizerRow(db, found.organizer_id))?.id
}

/**
 * Lets the organizer who is signed in sign in with an account from now on.
 * @returns why not: it is the account of another organizer, or this one has another account
 */
export async function connectIdentity(
  scope: WriteScope,
  { issuer, subject, name }: Identity,
): Promise<'OF_ANOTHER' | 'ANOTHER_CONNECTED' | undefined> {
  const { db, now, principal } = scope
  const known = await findIdentityRow(db, { issuer, subject })
  if (known) return known.organizer_id === principal.organizer ? undefined : 'OF_ANOTHER'
  if (await findIdentityOf(db, principal.organizer)) return 'ANOTHER_CONNECTED'
  await insertIdentity(db, { organizer_id: principal.organizer, issuer, subject, name, connected_at: now })
  await appendChange(scope, { kind: 'organizer.connected', record: principal.organizer })
  return undefined
}

/** The account of an organizer; null for none. */
export async function describeIdentity(
  { db, timestamp }: Scope,
  organizer: OrganizerId,
): Promise<Data<'getMe'>['me']['identity']> {
  const found = await findIdentityOf(db, organizer)
  if (!found) return null
  const { issuer, subject, name, connected_at } = found
  return { issuer, subject, name, connected_at: timestamp(connected_at) }
}

/** Changes nothing for somebody who has not connected an account. */
export async function disconnectIdentity(scope: WriteScope): Promise<Data<'disconnectIdentity'>> {
  const { organizer } = scope.principal
  if (organizer !== noOrganizer) await disconnect(scope, organizer)
  return {}
}

/** Ends that an organizer can sign in with an account. */
export async function disconnect(scope: WriteScope, organizer: OrganizerId): Promise<void> {
  if (await deleteIdentityOf(scope.db, organizer))
    await appendChange(scope, { kind: 'organizer.disconnected', record: organizer })
}
