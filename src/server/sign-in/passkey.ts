import type { Data } from '../../contract/index.ts'
import { organizerSessionMs } from '../access/session-limits.ts'
import { startSession } from '../access/sessions.ts'
import { noParticipant } from '../core/ids.ts'
import { describeMe } from '../me/me.ts'
import type { HandlerInput } from '../operation.ts'
import { authenticate } from '../passkeys/passkeys.ts'
import type { PreparationScope, WriteScope } from '../scope.ts'

/** Signs an organizer in. @throws Failure PASSKEY_INVALID */
export async function signInWithPasskey(
  preparation: PreparationScope,
  input: HandlerInput<'signInWithPasskey'>,
): Promise<(scope: WriteScope) => Promise<Data<'signInWithPasskey'>>> {
  const usePasskey = await authenticate(preparation, input)
  return async (scope) => {
    const { id: passkey, organizer_id: organizer } = await usePasskey(scope)
    const expiresAt = scope.now + organizerSessionMs
    return describeMe(scope, await startSession(scope, { participant: noParticipant, organizer, passkey, expiresAt }))
  }
}
