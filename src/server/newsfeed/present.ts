import type { EmbeddedComments } from '../../contract/limits.ts'
import type { Comment, Topic, TopicComment } from '../../contract/newsfeed.ts'
import type { Author, UploadedFile } from '../../contract/records.ts'
import type { CommentId, TopicId } from '../core/ids.ts'
import { settleAll } from '../db/settle-all.ts'
import { noFiles, uploadedFilesOf } from '../files/files.ts'
import { authorOf, authorsOf, toAuthor } from '../participants/authors.ts'
import type { Scope } from '../scope.ts'
import type { BareComment, ShownComment } from './comment-store.ts'
import { latestComments } from './latest-comment-store.ts'
import { likersOfTopic, likesOfTopics } from './like-store.ts'
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
  const [rows, likers, comments, files] = await settleAll([
    finding,
    likersOf(scope, topicIds),
    commentsOf(scope, topicIds, embedded),
    uploadedFilesOf(scope, 'topic_id', topicIds),
  ])
  return rows.map((row) =>
    toTopic(scope, row, toAuthor(scope, row.created_by, row), files(row.id), {
      likes: likers(row.id),
      comments: comments(row.id),
    }),
  )
}

/** Who likes each of these topics, oldest like first. */
async function likersOf(scope: Scope, topicIds: TopicId[]): Promise<(topicId: TopicId) => Author[]> {
  const [topicId] = topicIds
  if (topicId !== undefined && topicIds.length === 1) {
    const rows = await likersOfTopic(scope.db, topicId)
    const likers = rows.map((row) => toAuthor(scope, row.participant_id, row))
    return () => likers
  }
  const likes = await likesOfTopics(scope.db, topicIds)
  const liker = await authorsOf(
    scope,
    likes.map((like) => like.participant_id),
  )
  const likesOf = Map.groupBy(likes, (like) => like.topic_id)
  return (topicId) => (likesOf.get(topicId) ?? []).map((like) => liker(like.participant_id))
}

/** The latest comments of each of these topics, oldest first. */
async function commentsOf(
  scope: Scope,
  topicIds: TopicId[],
  embedded: EmbeddedComments,
): Promise<(topicId: TopicId) => TopicComment[]> {
  const rows = await latestComments(scope.db, topicIds, embedded)
  const files = await filesOfComments(scope, rows)
  const rowsOf = Map.groupBy(rows, (row) => row.topic_id)
  return (topicId) =>
    (rowsOf.get(topicId) ?? []).map((row) => ({
      id: String(row.id),
      comment: row.comment,
      author: toAuthor(scope, row.created_by, row),
      uploaded_files: files(row.id),
      created_at: scope.timestamp(row.created_at),
    }))
}

/** A topic that has just been made: nobody has liked or commented on it. @param hasFiles whether any came with it */
export async function presentNewTopic(scope: Scope, row: BareTopic, hasFiles: boolean): Promise<Topic> {
  const files = hasFiles ? await uploadedFilesOf(scope, 'topic_id', [row.id]) : noFiles
  const author = await authorOf(scope, row.created_by)
  return toTopic(scope, row, author, files(row.id), { likes: [], comments: [] })
}

const toTopic = (
  scope: Scope,
  row: BareTopic,
  author: Author,
  uploaded_files: UploadedFile[],
  { likes, comments }: Pick<Topic, 'likes' | 'comments'>,
): Topic => ({
  id: String(row.id),
  author,
  content: { header: row.header, body: row.body, uploaded_files, dateCreated: scope.timestamp(row.created_at) },
  likes,
  comments,
})

/** Comments as they leave the server by themselves. */
export async function presentComments(scope: Scope, rows: ShownComment[]): Promise<Comment[]> {
  const files = await filesOfComments(scope, rows)
  return rows.map((row) => toComment(row, toAuthor(scope, row.created_by, row), files(row.id)))
}

async function filesOfComments(scope: Scope, rows: ShownComment[]): Promise<(commentId: CommentId) => UploadedFile[]> {
  const withFiles = rows.filter((row) => row.a_file !== null).map((row) => row.id)
  return withFiles.length > 0 ? uploadedFilesOf(scope, 'comment_id', withFiles) : noFiles
}

/** A comment that has just been made. @param hasFiles whether any came with it */
export async function presentNewComment(scope: Scope, row: BareComment, hasFiles: boolean): Promise<Comment> {
  const files = hasFiles ? await uploadedFilesOf(scope, 'comment_id', [row.id]) : noFiles
  const author = await authorOf(scope, row.created_by)
  return toComment(row, author, files(row.id))
}

const toComment = (row: BareComment, author: Author, uploaded_files: UploadedFile[]): Comment => ({
  id: String(row.id),
  comment: row.comment,
  author,
  created_by: String(row.created_by),
  uploaded_files,
})
