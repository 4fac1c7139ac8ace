import type { Data } from '../../contract/index.ts'
import { codeMail } from '../access/code-mail.ts'
import { bindBrowser, checkCode, createCode, redeemCode } from '../access/codes.ts'
import { revokeCredential } from '../access/credentials.ts'
import { findSessionStarted, storeSessionStarted } from '../access/session-retries.ts'
import { startSession } from '../access/sessions.ts'
import { Failure } from '../core/failure.ts'
import { noOrganizer, noParticipant } from '../core/ids.ts'
import { describeMe } from '../me/me.ts'
import type { HandlerInput } from '../operation.ts'
import { findParticipantByLogin, readLoginEmail } from '../participants/login-emails.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'
import type { WriteScope } from '../scope.ts'
import { afterSummitMs } from './sign-in.ts'

/**
 * Sends a code to a participant. The same happens for an address of nobody, except for the mail, which is sent after the
 * response.
 * @throws Failure NO_MAIL, SUMMIT_ENDED, VALIDATION_FAILED, TOO_MANY_ATTEMPTS
 */
export async function requestSignInCode(
  scope: WriteScope,
  { email: text }: HandlerInput<'requestSignInCode'>,
): Promise<Data<'requestSignInCode'>> {
  if (!scope.mails) throw new Failure('NO_MAIL')
  await findEndOfAttendance(scope, afterSummitMs)
  const email = readLoginEmail(text)
  const participant = await findParticipantByLogin(scope.db, email)
  const code = await createCode(scope, bindBrowser(scope), { purpose: 'sign-in', email, participant })
  const mail = codeMail(scope, { to: email, purpose: 'sign-in', code })
  if (participant !== noParticipant) scope.mails.push(mail)
  return {}
}

/** @returns a failure after a wrong try, to be stored @throws Failure CODE_INVALID, SUMMIT_ENDED */
export async function redeemSignInCode(
  scope: WriteScope,
  { code: entered }: HandlerInput<'redeemSignInCode'>,
): Promise<Data<'redeemSignInCode'> | Failure> {
  // A code is too short to tell apart those who send it.
  const secret = `${scope.client.browser} ${entered}`
  const started = scope.client.browser === undefined ? undefined : await findSessionStarted(scope, secret)
  const code = started ? undefined : await checkCode(scope, 'sign-in', entered)
  if (code instanceof Failure) return code
  if (started) await revokeCredential(scope, started.id)
  if (code) await redeemCode(scope, code)
  const expiresAt = await findEndOfAttendance(scope, afterSummitMs)
  const participant = (started ?? code)?.participant_id ?? noParticipant
  const principal = await startSession(scope, { participant, organizer: noOrganizer, expiresAt })
  await storeSessionStarted(scope, secret, principal.credential)
  return describeMe(scope, principal)
}
