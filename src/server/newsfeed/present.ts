import type { EmbeddedComments } from '../../contract/limits.ts'
import type { Comment, Topic } from '../../contract/newsfeed.ts'
import type { Author, UploadedFile } from '../../contract/records.ts'
import { together } from '../db/together.ts'
import { noFiles, uploadedFilesOf } from '../files/files.ts'
import type { TopicId } from '../ids.ts'
import { authorsOf, toAuthor } from '../participants/authors.ts'
import type { Scope } from '../scope.ts'
import type { BareComment, ShownComment } from './comment-store.ts'
import { latestComments } from './latest-comment-store.ts'
import { likesOfTopics } from './like-store.ts'
import type { BareTopic, ShownTopic } from './topic-store.ts'

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
  const [commentFiles, liker] = await together([
    uploadedFilesOf(
      scope,
      'comment_id',
      comments.map((comment) => comment.id),
    ),
    authorsOf(
      scope,
      likes.map((like) => like.participant_id),
    ),
  ])
  const likesOf = Map.groupBy(likes, (like) => like.topic_id)
  const commentsOf = Map.groupBy(comments, (comment) => comment.topic_id)
  return rows.map((row) =>
    toTopic(scope, row, toAuthor(scope, row.created_by, row), topicFiles(row.id), {
      likes: (likesOf.get(row.id) ?? []).map((like) => liker(like.participant_id)),
      comments: (commentsOf.get(row.id) ?? []).map((comment) => ({
        id: String(comment.id),
        comment: comment.comment,
        author: toAuthor(scope, comment.created_by, comment),
        uploaded_files: commentFiles(comment.id),
        created_at: scope.timestamp(comment.created_at),
      })),
    }),
  )
}

/** A topic that has just been made: nobody has liked or commented on it. @param hasFiles whether any came with it */
export async function presentNewTopic(scope: Scope, row: BareTopic, hasFiles: boolean): Promise<Topic> {
  const files = hasFiles ? await uploadedFilesOf(scope, 'topic_id', [row.id]) : noFiles
  const author = await authorsOf(scope, [row.created_by])
  return toTopic(scope, row, author(row.created_by), files(row.id), { likes: [], comments: [] })
}

const toTopic = (
  scope: Scope,
  row: BareTopic,
  author: Author,
  uploaded_files: UploadedFile[],
  what: Pick<Topic, 'likes' | 'comments'>,
): Topic => ({
  id: String(row.id),
  author,
  content: { header: row.header, body: row.body, uploaded_files, dateCreated: scope.timestamp(row.created_at) },
  ...what,
})

/** Comments as they leave the server by themselves. */
export async function presentComments(scope: Scope, rows: ShownComment[]): Promise<Comment[]> {
  const files = await uploadedFilesOf(
    scope,
    'comment_id',
    rows.map((row) => row.id),
  )
  return rows.map((row) => toComment(row, toAuthor(scope, row.created_by, row), files(row.id)))
}

/** A comment that has just been made. @param hasFiles whether any came with it */
export async function presentNewComment(scope: Scope, row: BareComment, hasFiles: boolean): Promise<Comment> {
  const files = hasFiles ? await uploadedFilesOf(scope, 'comment_id', [row.id]) : noFiles
  const author = await authorsOf(scope, [row.created_by])
  return toComment(row, author(row.created_by), files(row.id))
}

const toComment = (row: BareComment, author: Author, uploaded_files: UploadedFile[]): Comment => ({
  id: String(row.id),
  comment: row.comment,
  author,
  created_by: String(row.created_by),
  uploaded_files,
})
