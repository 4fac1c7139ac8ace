import type { EmbeddedComments } from '../../contract/limits.ts'
import type { Comment, Topic } from '../../contract/newsfeed.ts'
import type { Author, UploadedFile } from '../../contract/records.ts'
import { together } from '../db/together.ts'
import { noFiles, uploadedFilesOf } from '../files/files.ts'
import type { ParticipantId, TopicId } from '../ids.ts'
import { authorsOf } from '../participants/authors.ts'
import type { Scope } from '../scope.ts'
import type { ShownComment } from './comment-store.ts'
import { latestComments } from './latest-comment-store.ts'
import { likesOfTopics } from './like-store.ts'
import type { ShownTopic } from './topic-store.ts'

/**
 * Topics as they leave the server, with their authors, files, likes and comments: a few queries, however many they are,
 * unless their comments have to be counted.
 * @param finding may still be under way, where the ids are known before: what hangs on them is asked for with it
 * @param embedded how many comments they embed at the most
 * @throws what `finding` does
 */
export async function presentTopics(
  scope: Scope,
  topicIds: TopicId[],
  finding: Promise<ShownTopic[]>,
  embedded: EmbeddedComments,
): Promise<Topic[]> {
  const [rows, likes, comments, topicFiles] = await together([
    finding,
    likesOfTopics(scope.db, topicIds),
    latestComments(scope.db, topicIds, embedded),
    uploadedFilesOf(scope, 'topic_id', topicIds),
  ])
  const [commentFiles, author] = await together([
    uploadedFilesOf(
      scope,
      'comment_id',
      comments.map((comment) => comment.id),
    ),
    authorsOf(scope, [
      ...[...rows, ...comments].map((row) => row.created_by),
      ...likes.map((like) => like.participant_id),
    ]),
  ])
  const likesOf = Map.groupBy(likes, (like) => like.topic_id)
  const commentsOf = Map.groupBy(comments, (comment) => comment.topic_id)
  return rows.map((row) =>
    toTopic(scope, row, author, topicFiles, {
      likes: (likesOf.get(row.id) ?? []).map((like) => author(like.participant_id)),
      comments: (commentsOf.get(row.id) ?? []).map((comment) => ({
        id: String(comment.id),
        comment: comment.comment,
        author: author(comment.created_by),
        uploaded_files: commentFiles(comment.id),
        created_at: scope.timestamp(comment.created_at),
      })),
    }),
  )
}

/** A topic that has just been made: nobody has liked or commented on it. @param hasFiles whether any came with it */
export async function presentNewTopic(scope: Scope, row: ShownTopic, hasFiles: boolean): Promise<Topic> {
  const files = hasFiles ? await uploadedFilesOf(scope, 'topic_id', [row.id]) : noFiles
  const author = await authorsOf(scope, [row.created_by])
  return toTopic(scope, row, author, files, { likes: [], comments: [] })
}

const toTopic = (
  scope: Scope,
  row: ShownTopic,
  author: (id: ParticipantId) => Author,
  files: (id: TopicId) => UploadedFile[],
  what: Pick<Topic, 'likes' | 'comments'>,
): Topic => ({
  id: String(row.id),
  author: author(row.created_by),
  content: {
    header: row.header,
    body: row.body,
    uploaded_files: files(row.id),
    dateCreated: scope.timestamp(row.created_at),
  },
  ...what,
})

/** Comments as they leave the server by themselves. @param mayHaveFiles whether any has to be looked for */
export async function presentComments(scope: Scope, rows: ShownComment[], mayHaveFiles = true): Promise<Comment[]> {
  const ids = rows.map((row) => row.id)
  const files = mayHaveFiles ? await uploadedFilesOf(scope, 'comment_id', ids) : noFiles
  const author = await authorsOf(
    scope,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => ({
    id: String(row.id),
    comment: row.comment,
    author: author(row.created_by),
    created_by: String(row.created_by),
    uploaded_files: files(row.id),
  }))
}
