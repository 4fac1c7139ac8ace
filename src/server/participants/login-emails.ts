import { eraseCodes } from '../access/codes.ts'
import { appendChange } from '../changes/log.ts'
import { Failure } from '../core/failure.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import type { Db, Row } from '../db/tables.ts'
import { isMailAddress } from '../mail/mail-address.ts'
import type { WriteScope } from '../scope.ts'
import { deleteLogin, findLoginByEmail, findLoginHolder, listLogins, saveLogin } from './login-store.ts'
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
  const message = 'email must be an e-mail address.'
  throw new Failure('VALIDATION_FAILED', { fields: [{ field: 'email', in: 'body', reason: 'NOT_AN_EMAIL', message }] })
}

/** Who signs in with an address; 0 if nobody does. @param email of `readLoginEmail` */
export const findParticipantByLogin = async (db: Db, email: string): Promise<ParticipantId> =>
  (await findLoginByEmail(db, email))?.participant_id ?? noParticipant

/** The address with which a participant signs in; '' for none. */
export const findLoginEmail = async (db: Db, id: ParticipantId): Promise<string> =>
  (await listLogins(db, [id]))[0]?.email ?? ''

export const listLoginEmails = (db: Db): Promise<Row<'login'>[]> => listLogins(db)

/**
 * Sets the address with which a participant signs in. Codes that were sent to an earlier one become invalid.
 * @param text '' for none
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED, LOGIN_EMAIL_TAKEN
 */
export async function setLoginEmail(scope: WriteScope, id: ParticipantId, text: string): Promise<string> {
  await getParticipant(scope.db, id)
  const email = text.trim() === '' ? '' : readLoginEmail(text)
  if (email === (await findLoginEmail(scope.db, id))) return email
  const holder = await findLoginHolder(scope.db, email)
  if (holder) throw new Failure('LOGIN_EMAIL_TAKEN')
  await eraseCodes(scope, id)
  if (email === '') await deleteLogin(scope.db, id)
  else await saveLogin(scope.db, { participant_id: id, email })
  await appendChange(scope, { kind: 'login.changed', record: id })
  return email
}

/** Deletes the address for good; the caller logs the change. */
export async function eraseLogin(scope: WriteScope, id: ParticipantId): Promise<void> {
  await eraseCodes(scope, id)
  await deleteLogin(scope.db, id)
}
