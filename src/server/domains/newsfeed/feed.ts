import type { FeedAuthor, Post, PostComment } from '../../../contract/feed.ts'
import type { Data } from '../../../contract/index.ts'
import type { Author } from '../../../contract/records.ts'
import { formatWithOffset, toLocal } from '../../core/clock.ts'
import type { TopicId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import type { Scope } from '../../scope.ts'
import { settleAll } from '../../storage/db/settle-all.ts'
import { loadFeedFiles } from '../files/files.ts'
import { toAuthor } from '../participants/authors.ts'
import { countComments, pageOfComments, type ShownComment } from './comment-store.ts'
import { countLikes } from './like-store.ts'
import { countTopics } from './topic-block-store.ts'
import { getTopicRow, pageOfTopics, type ShownTopic } from './topic-store.ts'

/** Newest first, without likers and comments. */
export async function readFeed(scope: Scope, page: PageParams): Promise<Data<'readFeed'>> {
  const [rows, post_count] = await settleAll([pageOfTopics(scope.db, page), countTopics(scope.db)])
  const ids = rows.map(({ id }) => id)
  return { posts: rows.map(await createPresenter(scope, ids)), post_count }
}

/** The comments of the page, oldest first. @throws Failure TOPIC_NOT_FOUND */
export async function readThread(scope: Scope, topicId: TopicId, page: PageParams): Promise<Data<'readThread'>> {
  const row = await getTopicRow(scope.db, topicId)
  const [toPost, comments] = await settleAll([
    createPresenter(scope, [topicId]),
    pageOfComments(scope.db, topicId, page).then((rows) => toComments(scope, rows)),
  ])
  return { comments, post: toPost(row) }
}

/** Loads what posts show of other tables. The number of queries does not grow with the number of posts. */
async function createPresenter(scope: Scope, ids: TopicId[]): Promise<(row: ShownTopic) => Post> {
  const [files, likes, comments] = await settleAll([
    loadFeedFiles(scope, 'topic_id', ids),
    countLikes(scope.db, ids),
    countComments(scope.db, ids),
  ])
  return (row) => ({
    id: String(row.id),
    header: row.header,
    body: row.body,
    ...toTimes(scope, row),
    author: toFeedAuthor(toAuthor(scope, row.created_by, row)),
    files: files(row.id),
    like_count: likes(row.id),
    comment_count: comments(row.id),
  })
}

async function toComments(scope: Scope, rows: ShownComment[]): Promise<PostComment[]> {
  const withFiles = rows.filter(({ any_file_id }) => any_file_id !== null).map(({ id }) => id)
  const files = await loadFeedFiles(scope, 'comment_id', withFiles)
  return rows.map((row) => ({
    id: String(row.id),
    text: row.comment,
    ...toTimes(scope, row),
    author: toFeedAuthor(toAuthor(scope, row.created_by, row)),
    files: files(row.id),
  }))
}

const toTimes = ({ timestamp }: Scope, row: Pick<ShownTopic, 'created_at' | 'modified_at'>) => {
  const format = (at: number): string => formatWithOffset(toLocal(at, timestamp), at)
  return { created_at: format(row.created_at), edited_at: row.modified_at === 0 ? null : format(row.modified_at) }
}

const toFeedAuthor = ({ id, name, designation, photoUrl }: Author): FeedAuthor => ({
  id,
  name: id === null ? '' : name,
  designation: designation ?? '',
  photo_url: photoUrl,
})
