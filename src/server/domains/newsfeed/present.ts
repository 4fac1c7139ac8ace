import { type EmbeddedComments, embeddedLikes } from '../../../contract/limits.ts'
import type { Comment, Topic, TopicComment } from '../../../contract/newsfeed.ts'
import type { Author, UploadedFile } from '../../../contract/records.ts'
import type { CommentId, TopicId } from '../../core/ids.ts'
import type { Scope } from '../../scope.ts'
import { settleAll } from '../../storage/db/settle-all.ts'
import { loadUploadedFiles } from '../files/files.ts'
import { loadAuthor, loadAuthors, toAuthor } from '../participants/authors.ts'
import type { BareComment, ShownComment } from './comment-store.ts'
import { findLatestComments } from './latest-comment-store.ts'
import { findLikers, findLikes } from './like-store.ts'
import type { BareTopic, ShownTopic } from './topic-store.ts'

/**
 * Builds the topics of a response, with authors, files, likes and comments. The number of queries does not grow with
 * the number of topics, unless their comments exceed the limits.
 * @param pendingRows the topics, which may still be loading if the ids are known: the other queries run beside it
 * @param maxComments the limits of embedded comments
 * @throws the error of `pendingRows`
 */
export async function presentTopics(
  scope: Scope,
  topicIds: TopicId[],
  pendingRows: Promise<ShownTopic[]>,
  maxComments: EmbeddedComments,
): Promise<Topic[]> {
  const [rows, likers, comments, files] = await settleAll([
    pendingRows,
    loadLikers(scope, topicIds),
    loadComments(scope, topicIds, maxComments),
    loadUploadedFiles(scope, 'topic_id', topicIds),
  ])
  return rows.map((row) =>
    toTopic(scope, row, toAuthor(scope, row.created_by, row), files(row.id), {
      likes: likers(row.id),
      comments: comments(row.id),
    }),
  )
}

/** @returns a lookup of the authors of the latest likes of a topic, oldest first */
async function loadLikers(scope: Scope, topicIds: TopicId[]): Promise<(topicId: TopicId) => Author[]> {
  const [topicId] = topicIds
  if (topicId !== undefined && topicIds.length === 1) {
    const rows = await findLikers(scope.db, topicId, embeddedLikes)
    const likers = rows.map((row) => toAuthor(scope, row.participant_id, row))
    return () => likers
  }
  const likes = await findLikes(scope.db, topicIds, embeddedLikes)
  const authorOf = await loadAuthors(
    scope,
    likes.map((like) => like.participant_id),
  )
  const likesOf = Map.groupBy(likes, (like) => like.topic_id)
  return (topicId) => (likesOf.get(topicId) ?? []).map((like) => authorOf(like.participant_id))
}

/** @returns a lookup of a topic's latest comments, oldest first */
async function loadComments(
  scope: Scope,
  topicIds: TopicId[],
  maxComments: EmbeddedComments,
): Promise<(topicId: TopicId) => TopicComment[]> {
  const rows = await findLatestComments(scope.db, topicIds, maxComments)
  const files = await loadCommentFiles(scope, rows)
  const commentsOf = Map.groupBy(rows, (row) => row.topic_id)
  return (topicId) =>
    (commentsOf.get(topicId) ?? []).map((row) => ({
      id: String(row.id),
      comment: row.comment,
      author: toAuthor(scope, row.created_by, row),
      uploaded_files: files(row.id),
      created_at: scope.timestamp(row.created_at),
    }))
}

const noFiles = (): UploadedFile[] => []

/** Builds a new topic, which has no likes or comments. @param hasFiles whether it was created with files */
export async function presentNewTopic(scope: Scope, row: BareTopic, hasFiles: boolean): Promise<Topic> {
  const files = hasFiles ? await loadUploadedFiles(scope, 'topic_id', [row.id]) : noFiles
  const author = await loadAuthor(scope, row.created_by)
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

/** Builds the comments of a response. */
export async function presentComments(scope: Scope, rows: ShownComment[]): Promise<Comment[]> {
  const files = await loadCommentFiles(scope, rows)
  return rows.map((row) => toComment(row, toAuthor(scope, row.created_by, row), files(row.id)))
}

async function loadCommentFiles(scope: Scope, rows: ShownComment[]): Promise<(commentId: CommentId) => UploadedFile[]> {
  const withFiles = rows.filter((row) => row.any_file_id !== null).map((row) => row.id)
  return withFiles.length > 0 ? loadUploadedFiles(scope, 'comment_id', withFiles) : noFiles
}

/** Builds a new comment. @param hasFiles whether it was created with files */
export async function presentNewComment(scope: Scope, row: BareComment, hasFiles: boolean): Promise<Comment> {
  const files = hasFiles ? await loadUploadedFiles(scope, 'comment_id', [row.id]) : noFiles
  const author = await loadAuthor(scope, row.created_by)
  return toComment(row, author, files(row.id))
}

const toComment = (row: BareComment, author: Author, uploaded_files: UploadedFile[]): Comment => ({
  id: String(row.id),
  comment: row.comment,
  author,
  created_by: String(row.created_by),
  uploaded_files,
})
