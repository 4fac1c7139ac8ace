import { signOutParticipant } from '../../server/auth/credentials.ts'
import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { formatCount } from '../../server/core/format-count.ts'
import type { ParticipantId } from '../../server/core/ids.ts'
import { countPosts } from '../../server/domains/newsfeed/erase-posts.ts'
import { findLoginEmail, setLoginEmail } from '../../server/domains/participants/login-emails.ts'
import { fullNameOf } from '../../server/domains/participants/participants.ts'
import { eraseOrAnonymize } from '../../server/domains/privacy/erase.ts'
import { finishErasures } from '../../server/domains/privacy/finish-erasures.ts'
import { countSteps } from '../../server/domains/privacy/steps-store.ts'
import { commandScope } from '../../server/scope.ts'
import { assertLedgerWritable, rebuildOrSay } from '../erasure.ts'
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
    console.log(`Keys and secret URLs still work; to end one: ${commandName} key revoke ID`)
  })
}

interface Options {
  apply?: boolean
  /** Whether their topics, comments and files stay, with an unknown author. */
  keepPosts?: boolean
}

/**
 * `summit participant forget ID`: deletes a participant for good, with what they have posted.
 * @param idOrEmail an address must be the one with which they sign in
 */
export async function forget(
  config: Config,
  idOrEmail: string,
  { apply = false, keepPosts = false }: Options,
): Promise<void> {
  await withContext(config, async (ctx) => {
    const { read } = ctx.database
    const participant = await identifyParticipant(read, idOrEmail)
    const participantId = participant.id
    const { topics, comments } = await countPosts(read, participantId)
    console.log(
      `participant ${participantId}: ${fullNameOf(participant)} <${participant.email || participant.employee_no}>`,
    )
    console.log('  deleted for good: the participant, their photos, likes, stars, feedback, choices and keys')
    console.log(
      keepPosts
        ? `  not deleted, but with an unknown author: ${formatCount(topics, 'topic')} and ${formatCount(comments, 'comment')}, with their files`
        : `  also deleted: ${formatCount(topics, 'topic')} with everything below, and ${formatCount(comments, 'comment')}, with their files`,
    )
    if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to delete this.')
    await assertLedgerWritable(config)
    await ctx.database.transaction((tx) =>
      eraseOrAnonymize(commandScope(ctx, tx, 'participant forget'), participantId, keepPosts ? 'keep' : 'delete'),
    )
    await finishErasures(ctx, { participant: participantId })
    if ((await countSteps(read, participantId)) > 0)
      console.log('\nStored files are removed a minute after the backup that copies them, or by the next start.')
    await rebuildOrSay(ctx)
    console.log(
      '\nDone. Backups and exported files still contain the deleted data; see docs/operate/privacy.md, “Delete for good”.',
    )
  })
}
