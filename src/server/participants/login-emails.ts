import { eraseCodes } from '../access/codes.ts'
import { appendChange } from '../changes/log.ts'
import { invalidField } from '../core/body-field.ts'
import { Failure } from '../core/failure.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { isMailAddress } from '../mail/mail-address.ts'
import type { WriteScope } from '../scope.ts'
import { deleteLogin, findLoginByEmail, listLogins, saveLogin } from './login-store.ts'
import { getParticipant } from './store.ts'

/** The form in which an address to sign in with is stored. @returns undefined if it is no e-mail address */
export function toLoginEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return isMailAddress(email) ? email : undefined
}

/** @throws Failure VALIDATION_FAILED */
export function readLoginEmail(text: string): string {
  const email = toLoginEmail(text)
  if (email !== undefined) return email
  throw invalidField('email', 'NOT_AN_EMAIL', 'email must be an e-mail address.')
}

/** Who signs in with an address; 0 if nobody does. @param email of `readLoginEmail` */
export const findParticipantByLogin = async (db: Db, email: string): Promise<ParticipantId> =>
  (await findLoginByEmail(db, email))?.participant_id ?? noParticipant

/** The address with which a participant signs in; '' for none. */
export const findLoginEmail = async (db: Db, id: ParticipantId): Promise<string> =>
  (await listLoginEmails(db, [id])).get(id) ?? ''

/** The addresses with which participants sign in, of all or of these. */
export async function listLoginEmails(db: Db, ids?: ParticipantId[]): Promise<Map<ParticipantId, string>> {
  return new Map((await listLogins(db, ids)).map(({ participant_id, email }) => [participant_id, email]))
}

/**
 * Sets the address with which a participant signs in. Codes that were sent to an earlier one become invalid.
 * @param text '' for none
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED, LOGIN_EMAIL_TAKEN
 */
export async function setLoginEmail(scope: WriteScope, id: ParticipantId, text: string): Promise<string> {
  await getParticipant(scope.db, id)
  const email = text.trim() === '' ? '' : readLoginEmail(text)
  const present = await findLoginEmail(scope.db, id)
  if (email === present) return email
  if (await findLoginByEmail(scope.db, email)) throw new Failure('LOGIN_EMAIL_TAKEN')
  await eraseCodes(scope, id, present)
  if (email === '') await deleteLogin(scope.db, id)
  else await saveLogin(scope.db, { participant_id: id, email })
  await appendChange(scope, { kind: 'login.changed', record: id })
  return email
}

/** Ends that somebody signs in with an address. @returns false if there is none */
export async function endLogin(scope: WriteScope, id: ParticipantId): Promise<boolean> {
  if ((await findLoginEmail(scope.db, id)) === '') return false
  await setLoginEmail(scope, id, '')
  return true
}

/** Sets an address again, unless another participant has it now. */
export async function restoreLoginEmail(scope: WriteScope, id: ParticipantId, email: string): Promise<void> {
  const holder = await findParticipantByLogin(scope.db, email)
  await setLoginEmail(scope, id, holder === noParticipant || holder === id ? email : '')
}

/** Deletes the address for good; the caller logs the change. */
export async function eraseLogin(scope: WriteScope, id: ParticipantId): Promise<void> {
  await eraseCodes(scope, id, await findLoginEmail(scope.db, id))
  await deleteLogin(scope.db, id)
}
