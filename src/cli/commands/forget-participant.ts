import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { formatCount } from '../../server/core/format-count.ts'
import type { ParticipantId } from '../../server/core/ids.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import type { Db } from '../../server/db/tables.ts'
import { forgetParticipant } from '../../server/erasure/forget-participant.ts'
import { groupByIdentity } from '../../server/import/participant-identities.ts'
import { countPosts } from '../../server/newsfeed/authorship.ts'
import { removeOrphans } from '../../server/orphans/orphans.ts'
import { findParticipant, fullNameOf, listAllParticipants } from '../../server/participants/participants.ts'
import { photoFolder } from '../../server/participants/photos.ts'
import { commandScope } from '../../server/scope.ts'
import { withMaintenanceLock } from '../maintenance.ts'
import { noSuchRecord } from '../no-such-record.ts'
import { parseId } from '../record-id.ts'
import { withContext } from '../with-context.ts'

interface Options {
  apply?: boolean
  /** Whether their topics, comments and files stay, with an unknown author. */
  keepPosts?: boolean
}

/**
 * `summit participant forget ID`: deletes a participant for good, with what they have posted.
 * @param idOrEmail an address must be that of one participant only
 */
export async function forget(
  config: Config,
  idOrEmail: string,
  { apply = false, keepPosts = false }: Options,
): Promise<void> {
  await withContext(config, async (ctx) => {
    const { read } = ctx.database
    const participantId = await identifyParticipant(read, idOrEmail)
    const participant = await findParticipant(read, participantId)
    if (!participant) throw noSuchRecord('participant', participantId)
    const { topics, comments } = await countPosts(read, participantId)
    console.log(
      `participant ${participantId}: ${fullNameOf(participant)} <${participant.email || participant.employee_no}>`,
    )
    console.log('  deleted for good: the participant, their photos, likes and feedback')
    console.log(
      keepPosts
        ? `  not deleted, but with an unknown author: ${formatCount(topics, 'topic')} and ${formatCount(comments, 'comment')}, with their files`
        : `  also deleted: ${formatCount(topics, 'topic')} with everything below, and ${formatCount(comments, 'comment')}, with their files`,
    )
    if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to delete this.')
    await withMaintenanceLock(config, async () => {
      const keys = await ctx.database.transaction((tx) =>
        forgetParticipant(commandScope(ctx, tx, 'participant forget'), participantId, keepPosts),
      )
      const photos = await Array.fromAsync(ctx.blobs.list(photoFolder(participantId)), ({ key }) => key)
      await removeOrphans(ctx, [...keys, ...photos])
    })
    console.log(
      '\nDone. Backups and exported files still contain the deleted data; see docs/operate.md, “Delete for good”.',
    )
  })
}

/** @throws OperatorError if it is not an id, and not the address of exactly one participant */
async function identifyParticipant(db: Db, idOrEmail: string): Promise<ParticipantId> {
  if (/^\d+$/.test(idOrEmail)) return parseId(idOrEmail) as ParticipantId
  const people = groupByIdentity('email', await listAllParticipants(db)).get(idOrEmail.trim().toLowerCase()) ?? []
  const [person, another] = people
  if (!person)
    throw new OperatorError(
      `“${idOrEmail}” is neither the id nor the e-mail address of a participant. The ids are in the list that this prints: ` +
        `${commandName} export participants`,
    )
  if (another) {
    const ids = people.map(({ id }) => id).join(', ')
    throw new OperatorError(
      `${people.length} participants have the e-mail address “${idOrEmail}”: ${ids}. Use the id of one of them.`,
    )
  }
  return person.id
}
