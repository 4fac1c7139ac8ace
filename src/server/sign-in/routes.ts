import type { signIn } from '../../contract/sign-in.ts'
import type { Handlers, Prechecks } from '../operation.ts'
import { checkInvitation, redeemInvitation } from './sign-in.ts'

export const signInRoutes: Handlers<keyof typeof signIn> = {
  redeemInvitation: (input, scope) => redeemInvitation(scope, input),
}

export const signInPrechecks: Prechecks<keyof typeof signIn> = {
  redeemInvitation: (input, scope) => checkInvitation(scope, input),
}
