import type { signIn } from '../../contract/sign-in.ts'
import type { Handlers } from '../operation.ts'
import { redeemInvitation } from './sign-in.ts'

export const signInRoutes: Handlers<keyof typeof signIn> = {
  redeemInvitation: (input, scope) => redeemInvitation(scope, input),
}
