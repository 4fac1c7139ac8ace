import type { signIn } from '../../contract/sign-in.ts'
import type { Handlers } from '../operation.ts'
import { redeemSignInCode, requestSignInCode } from './codes.ts'
import { redeemInvitation } from './sign-in.ts'

export const signInRoutes: Handlers<keyof typeof signIn> = {
  redeemInvitation: (input, scope) => redeemInvitation(scope, input),
  requestSignInCode: (input, scope) => requestSignInCode(scope, input),
  redeemSignInCode: (input, scope) => redeemSignInCode(scope, input),
}
