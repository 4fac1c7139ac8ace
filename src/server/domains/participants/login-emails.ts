import { eraseCodes } from '../../auth/codes.ts'
import { signOutParticipant } from '../../auth/credentials.ts'
import { deleteLogin, findLoginByEmail, listLogins, saveLogin } from '../../auth/login-store.ts'
import { isIssuedByDesk } from '../../auth/policies.ts'
import { Failure } from '../../core/failure.ts'
import { noParticipant, type ParticipantId } from '../../core/ids.ts'
import { readMatchingChanges } from '../../log/changes/find-changes.ts'
import { appendChange } from '../../log/changes/log.ts'
import { isMailAddress, normalizeMailAddress, readMailAddress } from '../../platform/mail/mail-address.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { getParticipant } from './store.ts'

/** The form in which an address to sign in with is stored. @returns undefined if it is no e-mail address */
export function toLoginEmail(text: string): string | undefined {
  const email = normalizeMailAddress(text)
  return isMailAddress(email) ? email : undefined
}

/** The participant who signs in with an address; 0 if nobody does. @param email of `readMailAddress` */
export const findParticipantByLogin = async (db: Db, email: string): Promise<ParticipantId> =>
  (await findLoginByEmail(db, email))?.participant_id ?? noParticipant

/** The login of a participant, if they sign in with an address. */
export const findLogin = async (db: Db, id: ParticipantId): Promise<Row<'login'> | undefined> =>
  (await listLogins(db, [id]))[0]

/** The address with which a participant signs in; '' for none. */
export const findLoginEmail = async (db: Db, id: ParticipantId): Promise<string> =>
  (await findLogin(db, id))?.email ?? ''

/** The addresses with which participants sign in, of all or of these. */
export async function listLoginEmails(db: Db, ids?: ParticipantId[]): Promise<Map<ParticipantId, string>> {
  return new Map((await listLogins(db, ids)).map(({ participant_id, email }) => [participant_id, email]))
}

/** Finds the participants who have, or had, an address to sign in with. Reads the whole log. */
export async function findFormerLogins(db: Db): Promise<Set<ParticipantId>> {
  const ids = new Set<ParticipantId>()
  for await (const changes of readMatchingChanges(db, { kinds: ['login.changed'] }))
    for (const { record_id } of changes) ids.add(record_id as ParticipantId)
  return ids
}

/**
 * Sets the address with which a participant signs in. The reader of the mail to an earlier address may be somebody else:
 * codes that were sent to it become invalid, and all sessions and invitations of the participant end.
 * @param text '' for none
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED, LOGIN_EMAIL_TAKEN
 */
export async function setLoginEmail(scope: WriteScope, id: ParticipantId, text: string): Promise<string> {
  await getParticipant(scope.db, id)
  const email = text.trim() === '' ? '' : readMailAddress(text)
  const present = await findLogin(scope.db, id)
  const from_desk = Number(isIssuedByDesk(scope.principal))
  if (email === (present?.email ?? '')) {
    // An owner may vouch for an address that the desk has set.
    if (present && from_desk < present.from_desk) await save(scope, { ...present, from_desk })
    return email
  }
  await replace(scope, id, present, { email, from_desk })
  if (present) await signOutParticipant(scope, id)
  return email
}

/**
 * Sets the address with which the sender signs in. They have proved that they read the mail to both: sessions stay.
 * @param email of `readMailAddress`
 * @throws Failure LOGIN_EMAIL_TAKEN
 */
export async function changeOwnLoginEmail(scope: WriteScope, email: string): Promise<void> {
  const { participant } = scope.principal
  const present = await findLogin(scope.db, participant)
  if (email === present?.email) return
  // The sender may be the organizer who has set the first address, so the mark stays.
  await replace(scope, participant, present, { email, from_desk: present?.from_desk ?? 0 })
}

async function replace(
  scope: WriteScope,
  id: ParticipantId,
  present: Row<'login'> | undefined,
  { email, from_desk }: Pick<Row<'login'>, 'email' | 'from_desk'>,
): Promise<void> {
  if (await findLoginByEmail(scope.db, email)) throw new Failure('LOGIN_EMAIL_TAKEN')
  await eraseCodes(scope, id, present ? [present.email] : [])
  await save(scope, { participant_id: id, email, from_desk })
}

async function save(scope: WriteScope, login: Row<'login'>): Promise<void> {
  if (login.email === '') await deleteLogin(scope.db, login.participant_id)
  else await saveLogin(scope.db, login)
  await appendChange(scope, { kind: 'login.changed', record: login.participant_id })
}

/** Ends that somebody signs in with an address. @returns false if there is none */
export async function endLogin(scope: WriteScope, id: ParticipantId): Promise<boolean> {
  if ((await findLoginEmail(scope.db, id)) === '') return false
  await setLoginEmail(scope, id, '')
  return true
}

/** Sets an address again, unless another participant has it now. */
export async function restoreLoginEmail(scope: WriteScope, id: ParticipantId, email: string): Promise<void> {
  if (email === (await findLoginEmail(scope.db, id))) return
  const holder = await findParticipantByLogin(scope.db, email)
  await setLoginEmail(scope, id, holder === noParticipant || holder === id ? email : '')
}
