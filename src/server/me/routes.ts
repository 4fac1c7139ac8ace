import type { me } from '../../contract/me.ts'
import type { ownPasskeys } from '../../contract/passkeys.ts'
import type { Handlers } from '../operation.ts'
import { register, removePasskey } from '../passkeys/passkeys.ts'
import { listCredentials, revokeCredential, signOut } from './credentials.ts'
import { getMe } from './me.ts'
import { startPasskeyRegistration } from './passkeys.ts'

export const meRoutes: Handlers<keyof typeof me | keyof typeof ownPasskeys> = {
  getMe: (_input, scope) => getMe(scope),
  signOut: (_input, scope) => signOut(scope),
  listCredentials: (_input, scope) => listCredentials(scope),
  revokeCredential: ({ credential_id }, scope) => revokeCredential(scope, credential_id),
  startPasskeyRegistration: (_input, scope) => startPasskeyRegistration(scope),
  registerPasskey: { prepare: (input, scope) => register(scope, input) },
  removePasskey: (input, scope) => removePasskey(scope, input),
}
