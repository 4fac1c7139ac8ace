import type { me } from '../../contract/me.ts'
import type { Handlers } from '../operation.ts'
import { disconnectIdentity } from '../organizers/identities.ts'
import { listCredentials, revokeCredential, signOut } from './credentials.ts'
import { getMe } from './me.ts'

export const meRoutes: Handlers<keyof typeof me> = {
  getMe: (_input, scope) => getMe(scope),
  signOut: (_input, scope) => signOut(scope),
  listCredentials: (_input, scope) => listCredentials(scope),
  disconnectIdentity: (_input, scope) => disconnectIdentity(scope),
  revokeCredential: ({ credential_id }, scope) => revokeCredential(scope, credential_id),
}
