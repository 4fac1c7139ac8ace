import type { Data } from '../../../contract/index.ts'
import { revokeCredential } from '../../auth/credentials.ts'
import { readSecret } from '../../auth/passkeys/challenge.ts'
import { authenticate } from '../../auth/passkeys/passkeys.ts'
import { organizerSessionMs } from '../../auth/session-limits.ts'
import { startSession } from '../../auth/sessions.ts'
import { findSessionStarted, storeSessionStarted } from '../../auth/started-sessions.ts'
import { Failure } from '../../core/failure.ts'
import { noOrganizer, noParticipant } from '../../core/ids.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PreparationScope, WriteScope } from '../../scope.ts'
import { describeMe } from '../me/me.ts'

/**
 * Signs an organizer in. A retry starts a new session without verification: the challenge is used up, and the counter
 * of the passkey may have increased.
 * @throws Failure PASSKEY_INVALID
 */
export async function signInWithPasskey(
  preparation: PreparationScope,
  input: HandlerInput<'signInWithPasskey'>,
): Promise<(scope: WriteScope) => Promise<Data<'signInWithPasskey'>>> {
  const secret = readSecret(preparation, noOrganizer)
  const isRetry = (await findSessionStarted(preparation, secret)) !== undefined
  const usePasskey = isRetry ? refuse : await authenticate(preparation, input)
  return async (scope) => {
    const started = await findSessionStarted(scope, secret)
    if (started) await revokeCredential(scope, started.id)
    const { organizer_id: organizer, passkey_id: passkey } = started ?? (await usePasskey(scope))
    const expiresAt = scope.now + organizerSessionMs
    const { principal } = await startSession(scope, { participant: noParticipant, organizer, passkey, expiresAt })
    await storeSessionStarted(scope, secret, principal.credential)
    return describeMe(scope, principal)
  }
}

/** Refuses a retry whose session has ended since it was found. */
async function refuse(): Promise<never> {
  throw new Failure('PASSKEY_INVALID')
}
