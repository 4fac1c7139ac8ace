import { signOutParticipant } from '../../server/auth/credentials.ts'
import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { fullNameOf } from '../../server/domains/participants/participants.ts'
import { commandScope } from '../../server/scope.ts'
import { identifyParticipant } from '../identify-record.ts'
import { withContext } from '../with-context.ts'

/** `summit participant sign-out ID`: ends the sessions of a participant, and invitations that would start another. */
export async function signOut(config: Config, idOrEmail: string): Promise<void> {
  await withContext(config, async (ctx) => {
    const participant = await identifyParticipant(ctx.database.read, idOrEmail)
    await ctx.database.transaction((tx) =>
      signOutParticipant(commandScope(ctx, tx, 'participant sign-out'), participant.id),
    )
    console.log(
      `All sessions and invitations of participant ${participant.id} (${fullNameOf(participant)}) have ended.`,
    )
    console.log(`Keys and personal addresses still work; to end one: ${commandName} key revoke ID`)
  })
}
