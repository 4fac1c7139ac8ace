import type { signIn } from '../../contract/sign-in.ts'
import type { Handlers } from '../operation.ts'
import { startSignIn } from '../passkeys/passkeys.ts'
import { prepareSignInCode, prepareSignInWithCode } from './codes.ts'
import { signInWithPasskey } from './passkey.ts'
import { prepareRedemption } from './sign-in.ts'

export const signInRoutes: Handlers<keyof typeof signIn> = {
  redeemInvitation: { prepare: (input, scope) => prepareRedemption(scope, input) },
  startPasskeySignIn: { prepare: (_input, scope) => startSignIn(scope) },
  signInWithPasskey: { prepare: (input, scope) => signInWithPasskey(scope, input) },
  requestSignInCode: { prepare: (input, scope) => prepareSignInCode(scope, input) },
  redeemSignInCode: { prepare: (input, scope) => prepareSignInWithCode(scope, input) },
}
