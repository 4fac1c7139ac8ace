import type { Data } from '../../../contract/index.ts'
import { assertMayLetSignIn } from '../../auth/policies.ts'
import type { HandlerInput } from '../../operation.ts'
import type { WriteScope } from '../../scope.ts'
import * as participants from '../participants/login-emails.ts'

/**
 * Sets the address with which a participant signs in.
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED, LOGIN_EMAIL_TAKEN, FORBIDDEN, see `assertMayLetSignIn`
 */
export async function setLoginEmail(
  scope: WriteScope,
  { participantId, email }: HandlerInput<'setLoginEmail'>,
): Promise<Data<'setLoginEmail'>> {
  await assertMayLetSignIn(scope, participantId)
  return { login_email: await participants.setLoginEmail(scope, participantId, email) }
}
