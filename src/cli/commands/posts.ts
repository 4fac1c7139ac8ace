import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { type CommentId, noParticipant, type TopicId } from '../../server/core/ids.ts'
import { deleteFeedback, findFeedback } from '../../server/domains/feedback/feedback.ts'
import { listDeletedComments, restoreComment } from '../../server/domains/newsfeed/comments.ts'
import { listDeletedTopics, restoreTopic } from '../../server/domains/newsfeed/topics.ts'
import { insertSteps } from '../../server/domains/privacy/steps-store.ts'
import { commandScope, type WriteScope } from '../../server/scope.ts'
import { assertLedgerWritable, rebuildOrSay } from '../erasure.ts'
import { noSuchRecord, parseId } from '../identify-record.ts'
import { withContext } from '../with-context.ts'

type Kind = 'topic' | 'comment'

/** `summit topic deleted` and `summit comment deleted`: list what clients have deleted, latest deletion first. */
export async function printDeleted(config: Config, kind: Kind): Promise<void> {
  await withContext(config, async (ctx) => {
    const list = kind === 'topic' ? listDeletedTopics : listDeletedComments
    const posts = await list(ctx.database.read)
    if (posts.length === 0) console.log(`No deleted ${kind}s.`)
    for (const { id, text, deleted_at } of posts)
      console.log(`${String(id).padStart(8)}  ${ctx.timestamp(deleted_at)}  ${firstLine(text)}`)
  })
}

/** `summit topic restore ID` and `summit comment restore ID`: restore what a client has deleted. */
export async function restore(config: Config, kind: Kind, id: string): Promise<void> {
  const postId = parseId(id)
  await withContext(config, async (ctx) => {
    const topicId = await ctx.database.transaction((tx) =>
      restorePost(commandScope(ctx, tx, `${kind} restore`), kind, postId),
    )
    if (topicId === undefined) throw noSuchRecord(`deleted ${kind}`, postId)
    const isHidden = (await listDeletedTopics(ctx.database.read)).some(({ id }) => id === topicId)
    console.log(
      isHidden
        ? `Comment ${postId} is restored, but its topic is deleted. To restore that: ${commandName} topic restore ${topicId}`
        : `${kind === 'topic' ? 'Topic' : 'Comment'} ${postId} is restored.`,
    )
  })
}

/** @returns the id of the topic; undefined if there is no such deleted topic or comment */
async function restorePost(scope: WriteScope, kind: Kind, id: number): Promise<number | undefined> {
  if (kind === 'comment') return restoreComment(scope, id as CommentId)
  return (await restoreTopic(scope, id as TopicId)) ? id : undefined
}

/** Characters shown of a text. */
const maxShown = 80

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n')
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line
}

/** `summit feedback delete ID`: shows one feedback entry, and with `--apply` deletes it for good. */
export async function removeFeedback(
  config: Config,
  id: string,
  { apply = false }: { apply?: boolean },
): Promise<void> {
  const feedbackId = parseId(id)
  await withContext(config, async (ctx) => {
    const feedback = await findFeedback(ctx.database.read, feedbackId)
    if (!feedback) throw noSuchRecord('feedback', feedbackId)
    const { participant_id, created_at, comments } = feedback
    console.log(
      `feedback ${feedbackId} of participant ${participant_id}, ${ctx.timestamp(created_at)}: ${comments ?? ''}`,
    )
    if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to delete it for good.')
    await assertLedgerWritable(config)
    await ctx.database.transaction(async (tx) => {
      const scope = commandScope(ctx, tx, 'feedback delete')
      await deleteFeedback(scope, feedbackId)
      await insertSteps(tx, noParticipant, ['rebuild'], [], scope.now)
    })
    await rebuildOrSay(ctx)
    console.log('\nDone.')
  })
}
