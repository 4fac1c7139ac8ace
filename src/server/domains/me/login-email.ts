import type { Data } from '../../../contract/index.ts'
import { checkCodeLimits, type RequestedCode } from '../../auth/code-limits.ts'
import { codeMail } from '../../auth/code-mail.ts'
import { bindBrowser, checkCode, createCodes, redeemCode } from '../../auth/codes.ts'
import { Failure } from '../../core/failure.ts'
import type { HandlerInput } from '../../operation.ts'
import { readMailAddress } from '../../platform/mail/mail-address.ts'
import type { PersonalScope, PreparationScope, WriteScope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'
import { changeOwnLoginEmail, findLoginEmail } from '../participants/login-emails.ts'
import { getMe } from './me.ts'

/**
 * Sends a code to the present address of the sender, and one to the new one. Only somebody who reads the mail of the new
 * address learns whether it is taken. Requests are refused before the transaction, so that they delay no other write.
 * @throws Failure NO_MAIL, NO_LOGIN_EMAIL, VALIDATION_FAILED, TOO_MANY_ATTEMPTS
 */
export async function prepareLoginEmailChange(
  preparation: PreparationScope,
  { email: text }: HandlerInput<'requestLoginEmailChange'>,
): Promise<(scope: WriteScope) => Promise<Data<'requestLoginEmailChange'>>> {
  if (!preparation.sendsMail) throw new Failure('NO_MAIL')
  await checkCodeLimits(preparation, preparation.client.browser, await requestedCodes(preparation, text))
  return (scope) => requestLoginEmailChange(scope, text)
}

async function requestLoginEmailChange(scope: WriteScope, text: string): Promise<Data<'requestLoginEmailChange'>> {
  const { participant } = scope.principal
  const requested = await requestedCodes(scope, text)
  const codes = requested.map((code) => ({ ...code, participant }))
  for (const code of await createCodes(scope, bindBrowser(scope), codes)) scope.mails.push(codeMail(scope, code))
  return {}
}

/** @param text the new address @throws Failure NO_LOGIN_EMAIL, VALIDATION_FAILED */
async function requestedCodes({ db, principal }: PersonalScope, text: string): Promise<RequestedCode[]> {
  const present = await findLoginEmail(db, principal.participant)
  if (present === '') throw new Failure('NO_LOGIN_EMAIL')
  return [
    { purpose: 'old address', email: present },
    { purpose: 'new address', email: readMailAddress(text) },
  ]
}

/**
 * Takes both codes: an intruder in a session does not get the mail to the present address, and somebody who mistypes an
 * address does not get that to the new one.
 * @returns a failure after a wrong try, to be stored
 * @throws Failure CODE_INVALID, LOGIN_EMAIL_TAKEN
 */
export async function changeLoginEmail(
  scope: WriteScope,
  { old_code, new_code }: HandlerInput<'changeLoginEmail'>,
): Promise<Data<'changeLoginEmail'> | Failure> {
  const present = await checkOwnCode(scope, 'old address', old_code)
  if (present instanceof Failure) return present
  const next = await checkOwnCode(scope, 'new address', new_code)
  if (next instanceof Failure) return next
  for (const code of [present, next]) await redeemCode(scope, code)
  await changeOwnLoginEmail(scope, next.email)
  return getMe(scope)
}

/** Somebody else may have signed in in the same browser meanwhile. */
async function checkOwnCode(
  scope: WriteScope,
  purpose: 'old address' | 'new address',
  entered: string,
): Promise<Row<'code'> | Failure> {
  const code = await checkCode(scope, purpose, entered)
  if (!(code instanceof Failure) && code.participant_id !== scope.principal.participant)
    throw new Failure('CODE_INVALID')
  return code
}
