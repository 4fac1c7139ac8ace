import type { signIn } from '../../../contract/sign-in.ts'
import { startSignIn } from '../../auth/passkeys/passkeys.ts'
import type { Handlers } from '../../operation.ts'
import { prepareSignInCode, prepareSignInWithCode } from './codes.ts'
import { signInWithPasskey } from './passkey.ts'
import { prepareRedeemInvitation } from './redeem-invitation.ts'

export const signInRoutes: Handlers<keyof typeof signIn> = {
  redeemInvitation: { prepare: prepareRedeemInvitation },
  startPasskeySignIn: { prepare: startSignIn },
  signInWithPasskey: { prepare: signInWithPasskey },
  requestSignInCode: { prepare: prepareSignInCode },
  redeemSignInCode: { prepare: prepareSignInWithCode },
}
