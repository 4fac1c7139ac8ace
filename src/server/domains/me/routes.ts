import type { me } from '../../../contract/me.ts'
import type { ownPasskeys } from '../../../contract/passkeys.ts'
import { register, removePasskey } from '../../auth/passkeys/passkeys.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../operation.ts'
import { disconnectIdentity } from '../organizers/identities.ts'
import { prepareUpdateMe } from '../participants/participants.ts'
import type { PreparePhoto } from '../participants/photo-changes.ts'
import { updateSharing } from '../participants/sharing.ts'
import { planErasure, prepareErasure } from '../privacy/erase-own-data.ts'
import { exportOwnData } from '../privacy/own-data.ts'
import { listCredentials, revokeOwnCredential, signOut, startPasskeyRegistration } from './credentials.ts'
import { changeLoginEmail, prepareLoginEmailChange } from './login-email.ts'
import { getMe } from './me.ts'

export const meRoutes = (
  ctx: Context,
  preparePhoto: PreparePhoto,
): Handlers<keyof typeof me | keyof typeof ownPasskeys> => ({
  getMe,
  updateMe: { prepare: (scope, input, storeBlob) => prepareUpdateMe(scope, preparePhoto, input, storeBlob) },
  exportOwnData: (scope) => exportOwnData(scope, ctx.blobs),
  updateSharing,
  planErasure: (scope) => planErasure(scope, ctx),
  eraseOwnData: { prepare: (scope, input) => prepareErasure(scope, ctx, input) },
  signOut,
  listCredentials,
  disconnectIdentity,
  revokeCredential: (scope, { credential_id }) => revokeOwnCredential(scope, credential_id),
  startPasskeyRegistration: { prepare: startPasskeyRegistration },
  registerPasskey: { prepare: register },
  removePasskey,
  requestLoginEmailChange: { prepare: prepareLoginEmailChange },
  changeLoginEmail,
})
