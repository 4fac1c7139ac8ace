import { startInvitation } from './lib/invitation.ts'
import { startPasskeys } from './lib/passkeys.ts'

// The script of the pages where people sign in. Only passkeys need it.

startInvitation()
startPasskeys()
