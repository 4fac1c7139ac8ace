import { startInvitation } from './lib/invitation.ts'
import { startPasskeys } from './lib/passkeys.ts'
import { startForgetting } from './lib/stars.ts'

// The script of the pages where people sign in and out. Only passkeys need it.

startForgetting()
startInvitation()
startPasskeys()
