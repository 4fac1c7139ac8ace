import type { Config } from '../../server/config/config.ts'
import type { ParticipantId } from '../../server/core/ids.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { inviteParticipant } from '../../server/organizers/invite-participant.ts'
import { commandScope } from '../../server/scope.ts'
import { identifyParticipant } from '../identify-participant.ts'
import { drawQrCode } from '../qr-code.ts'
import { withContext } from '../with-context.ts'

/** `summit participant invite ID`: prints a link with which a participant signs in once. */
export async function invite(config: Config, idOrEmail: string, { qr }: { qr?: boolean }): Promise<void> {
  if (config.publicUrl === undefined)
    throw new OperatorError('Set PUBLIC_URL: the link of the invitation begins with it.')
  await withContext(config, async (ctx) => {
    const { first_name, last_name, id } = await identifyParticipant(ctx.database.read, idOrEmail)
    const { invitation } = await ctx.database.transaction((tx) =>
      inviteParticipant(commandScope(ctx, tx, 'participant invite'), id as ParticipantId),
    )
    console.log(`Invitation for ${`${first_name} ${last_name}`.trim()}, participant ${id}:\n`)
    console.log(`  ${invitation.link}\n`)
    if (qr ?? process.stdout.isTTY) console.log(`${drawQrCode(invitation.link)}\n`)
    console.log(`It is shown only now, and can be used once, until ${invitation.expires_at}.`)
    if (config.access === 'open') console.log('With ACCESS=open nobody signs in; set ACCESS=public or members.')
  })
}
