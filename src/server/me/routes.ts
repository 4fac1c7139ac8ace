import type { me } from '../../contract/me.ts'
import type { ownPasskeys } from '../../contract/passkeys.ts'
import type { Context } from '../context.ts'
import type { Handlers } from '../operation.ts'
import { disconnectIdentity } from '../organizers/identities.ts'
import { updateSharing } from '../participants/sharing.ts'
import { register, removePasskey } from '../passkeys/passkeys.ts'
import { planErasure, prepareErasure } from '../privacy/erase-own-data.ts'
import { exportOwnData } from '../privacy/own-data.ts'
import { listCredentials, revokeOwnCredential, signOut } from './credentials.ts'
import { changeLoginEmail, requestLoginEmailChange } from './login-email.ts'
import { getMe } from './me.ts'
import { startPasskeyRegistration } from './passkeys.ts'

export const meRoutes = (ctx: Context): Handlers<keyof typeof me | keyof typeof ownPasskeys> => ({
  getMe: (_input, scope) => getMe(scope),
  exportOwnData: (_input, scope) => exportOwnData(scope, ctx.blobs),
  updateSharing: (input, scope) => updateSharing(scope, input),
  planErasure: (_input, scope) => planErasure(scope, ctx.config.erasePosts),
  eraseOwnData: { prepare: (input, scope) => prepareErasure(scope, ctx, input) },
  signOut: (_input, scope) => signOut(scope),
  listCredentials: (_input, scope) => listCredentials(scope),
  disconnectIdentity: (_input, scope) => disconnectIdentity(scope),
  revokeCredential: ({ credential_id }, scope) => revokeOwnCredential(scope, credential_id),
  startPasskeyRegistration: { prepare: (_input, scope) => startPasskeyRegistration(scope) },
  registerPasskey: { prepare: (input, scope) => register(scope, input) },
  removePasskey: (input, scope) => removePasskey(scope, input),
  requestLoginEmailChange: (input, scope) => requestLoginEmailChange(scope, input),
  changeLoginEmail: (input, scope) => changeLoginEmail(scope, input),
})
