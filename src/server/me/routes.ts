import type { me } from '../../contract/me.ts'
import type { Handlers } from '../operation.ts'
import { listCredentials, revokeCredential, signOut } from './credentials.ts'
import { changeLoginEmail, requestLoginEmailChange } from './login-email.ts'
import { getMe } from './me.ts'

export const meRoutes: Handlers<keyof typeof me> = {
  getMe: (_input, scope) => getMe(scope),
  signOut: (_input, scope) => signOut(scope),
  listCredentials: (_input, scope) => listCredentials(scope),
  revokeCredential: ({ credential_id }, scope) => revokeCredential(scope, credential_id),
  requestLoginEmailChange: (input, scope) => requestLoginEmailChange(scope, input),
  changeLoginEmail: (input, scope) => changeLoginEmail(scope, input),
}
