import type { Config } from '../../server/config/config.ts'
import type { ParticipantId } from '../../server/core/ids.ts'
import { findLoginEmail, setLoginEmail } from '../../server/domains/participants/login-emails.ts'
import { fullNameOf } from '../../server/domains/participants/participants.ts'
import { commandScope } from '../../server/scope.ts'
import { identifyParticipant, parseId } from '../identify-record.ts'
import { withContext } from '../with-context.ts'

/**
 * `summit participant login ID EMAIL`: sets the address to which a participant gets codes to sign in with.
 * @param id not an e-mail address, since anyone may have written that of the profile
 * @param email '' removes the address; undefined prints it
 */
export async function login(config: Config, id: string, email: string | undefined): Promise<void> {
  const participantId = parseId(id) as ParticipantId
  await withContext(config, async (ctx) => {
    const name = fullNameOf(await identifyParticipant(ctx.database.read, String(participantId)))
    const set =
      email === undefined
        ? await findLoginEmail(ctx.database.read, participantId)
        : await ctx.database.transaction((tx) =>
            setLoginEmail(commandScope(ctx, tx, 'participant login'), participantId, email),
          )
    const how = set === '' ? 'has no address to sign in with' : `signs in with ${set}`
    console.log(`participant ${participantId} (${name}) ${how}.`)
    if (config.mail === undefined && set !== '') console.log('No code is sent until SMTP_URL is set.')
  })
}
