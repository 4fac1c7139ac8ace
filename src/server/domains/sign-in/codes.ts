import type { Data } from '../../../contract/index.ts'
import { checkCodeLimits } from '../../auth/code-limits.ts'
import { codeMail } from '../../auth/code-mail.ts'
import { bindBrowser, checkCode, createCodes, getOpenCode, redeemCode } from '../../auth/codes.ts'
import { revokeCredential } from '../../auth/credentials.ts'
import { startSession } from '../../auth/sessions.ts'
import { maySignIn } from '../../auth/sign-ins-from-desk.ts'
import { findSessionStarted, storeSessionStarted } from '../../auth/started-sessions.ts'
import { Failure } from '../../core/failure.ts'
import { noOrganizer, noParticipant } from '../../core/ids.ts'
import type { HandlerInput } from '../../operation.ts'
import { readMailAddress } from '../../platform/mail/mail-address.ts'
import type { PreparationScope, WriteScope } from '../../scope.ts'
import { describeMe } from '../me/me.ts'
import { findLogin, findParticipantByLogin } from '../participants/login-emails.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'
import { afterSummitMs } from './redeem-invitation.ts'

/**
 * Sends a code to a participant. The same happens for an address of nobody, except for the mail, which is sent after
 * the response. Requests are refused before the transaction, so that they delay no other write.
 * @throws Failure NO_MAIL, SUMMIT_ENDED, VALIDATION_FAILED, TOO_MANY_ATTEMPTS
 */
export async function prepareSignInCode(
  preparation: PreparationScope,
  { email: text }: HandlerInput<'requestSignInCode'>,
): Promise<(scope: WriteScope) => Promise<Data<'requestSignInCode'>>> {
  if (!preparation.sendsMail) throw new Failure('NO_MAIL')
  await findEndOfAttendance(preparation, afterSummitMs)
  const email = readMailAddress(text)
  await checkCodeLimits(preparation, preparation.client.browser, [{ purpose: 'sign-in', email }])
  return (scope) => requestSignInCode(scope, email)
}

async function requestSignInCode(scope: WriteScope, email: string): Promise<Data<'requestSignInCode'>> {
  const participant = await findParticipantByLogin(scope.db, email)
  const codes = await createCodes(scope, bindBrowser(scope), [{ purpose: 'sign-in', email, participant }])
  const mails = codes.map((code) => codeMail(scope, code))
  if (participant !== noParticipant) scope.mails.push(...mails)
  return {}
}

/**
 * Signs in a participant. A guess in a browser that has no code is refused before the transaction.
 * @returns in the transaction, a failure after a wrong try, to be stored
 * @throws Failure CODE_INVALID, SUMMIT_ENDED
 */
export async function prepareSignInWithCode(
  preparation: PreparationScope,
  { code: entered, bearer = false }: HandlerInput<'redeemSignInCode'>,
): Promise<(scope: WriteScope) => Promise<Data<'redeemSignInCode'> | Failure>> {
  const { browser } = preparation.client
  if (browser === undefined) throw new Failure('CODE_INVALID')
  // A code is too short to tell apart those who send it. A retry never gets a secret that its request did not ask for.
  const secret = `${browser} ${entered}${bearer ? ' bearer' : ''}`
  if (!(await findSessionStarted(preparation, secret))) await getOpenCode(preparation, 'sign-in')
  return (scope) => redeemSignInCode(scope, secret, entered, bearer)
}

/** @param secret of a retry @param inHeader see `NewSession` */
async function redeemSignInCode(
  scope: WriteScope,
  secret: string,
  entered: string,
  inHeader: boolean,
): Promise<Data<'redeemSignInCode'> | Failure> {
  const started = await findSessionStarted(scope, secret)
  const code = started ? undefined : await checkCode(scope, 'sign-in', entered)
  if (code instanceof Failure) return code
  if (started) await revokeCredential(scope, started.id)
  if (code) await redeemCode(scope, code)
  const expiresAt = await findEndOfAttendance(scope, afterSummitMs)
  const participant = (started ?? code)?.participant_id ?? noParticipant
  const isIssuedByDesk = (started ?? (await findLogin(scope.db, participant)))?.from_desk === 1
  if (!(await maySignIn(scope, { participant, isIssuedByDesk }))) throw new Failure('CODE_INVALID')
  const session = { participant, organizer: noOrganizer, isIssuedByDesk, inHeader, expiresAt }
  const { principal, token } = await startSession(scope, session)
  await storeSessionStarted(scope, secret, principal.credential)
  const { me } = await describeMe(scope, principal)
  return { me, ...(token !== undefined && { token }) }
}
