import Type, { type Static } from 'typebox'
import { Timestamp } from './envelope.ts'
import { Id, operation, pageOf, Ref, record, Text } from './operation.ts'
import { Author, UploadedFile, WireId } from './records.ts'
import { uploads } from './uploads.ts'

/** A comment inside a topic. */
export const TopicComment = record({
  id: WireId,
  comment: Type.String(),
  author: Author,
  uploaded_files: Type.Array(UploadedFile),
  created_at: Timestamp,
})
export type TopicComment = Static<typeof TopicComment>

/** A post of the news feed. */
export const Topic = record({
  id: WireId,
  author: Author,
  content: record({
    header: Type.String(),
    body: Type.String(),
    uploaded_files: Type.Array(UploadedFile),
    dateCreated: Timestamp,
  }),
  likes: Type.Array(Author, {
    description: 'The participants who like it, oldest like first: the latest, up to 5,000 in one response.',
  }),
  comments: Type.Array(TopicComment, {
    description:
      'The latest comments, oldest first: up to 100 in a list, or fewer if the page is very large; up to 1,000 in details.',
  }),
})
export type Topic = Static<typeof Topic>

/** A comment outside its topic. */
export const Comment = record({
  id: WireId,
  comment: Type.String(),
  author: Author,
  created_by: WireId,
  uploaded_files: Type.Array(UploadedFile),
})
export type Comment = Static<typeof Comment>

const NewsFeed = record({ NewsFeed: Type.Array(Topic) })
const Comments = record({ comments: Type.Array(Comment) })
const DeletedMessage = record({ message: Type.String({ examples: ['Deleted Topic Id: 12'] }) })

const name = Text({ limit: 'name', required: true, description: "The topic's header.", examples: ['Lunch is served'] })
const body = Text({ limit: 'body', description: 'The text below the header.', examples: ['In the main hall.'] })
const comment = Text({ limit: 'comment', required: true, description: 'The text.', examples: ['On my way!'] })
const author = Ref('participant', 'The participant who writes it.')
const editor = Type.Optional(Ref('participant', 'The participant who changes it; the author stays the same.'))
const formerAuthor = Type.Optional(Ref('participant', 'Accepted and ignored: the author never changes.'))
const topic_id = Id('topic', 'The topic.')
const comment_id = Id('comment', 'The comment.')

/** Topics, their comments and their likes. Likes are an addition to the interface specification. */
export const newsfeed = {
  listTopics: operation({
    method: 'GET',
    path: '/api/newsfeeds/topics/{offset}/{limit}',
    tag: 'News feed',
    summary: 'List topics, newest first',
    access: { readers: 'anyone' },
    params: record(pageOf('topic')),
    data: NewsFeed,
    fails: [],
  }),
  createTopic: operation({
    method: 'POST',
    path: '/api/newsfeeds/topics/create',
    tag: 'News feed',
    summary: 'Post a topic',
    access: { role: 'moderator', actor: ['created_by'] },
    params: record({}),
    body: record({ name, body: Type.Optional(body), created_by: author, ...uploads }),
    data: NewsFeed,
    fails: ['TOO_MANY_FILES'],
  }),
  getTopic: operation({
    method: 'GET',
    path: '/api/newsfeeds/topics/{topic_id}/details',
    tag: 'News feed',
    summary: 'Read a topic',
    access: { readers: 'anyone' },
    params: record({ topic_id }),
    data: NewsFeed,
    fails: ['TOPIC_NOT_FOUND'],
  }),
  updateTopic: operation({
    method: 'PUT',
    path: '/api/newsfeeds/topics/{topic_id}/update',
    tag: 'News feed',
    summary: 'Change a topic',
    description: 'Without `body`, the text stays as it is. Existing files stay, and those sent are added.',
    access: { role: 'moderator', actor: ['updated_by'], changesOwn: true },
    params: record({ topic_id }),
    body: record({
      name,
      body: Type.Optional(body),
      created_by: formerAuthor,
      updated_by: editor,
      ...uploads,
    }),
    data: NewsFeed,
    fails: ['TOPIC_NOT_FOUND', 'TOO_MANY_FILES'],
  }),
  deleteTopic: operation({
    method: 'DELETE',
    path: '/api/newsfeeds/topics/{topic_id}/delete',
    tag: 'News feed',
    summary: 'Delete a topic',
    access: { role: 'moderator', changesOwn: true },
    params: record({ topic_id }),
    data: DeletedMessage,
    fails: ['TOPIC_NOT_FOUND'],
  }),
  likeTopic: operation({
    method: 'POST',
    path: '/api/newsfeeds/topics/{topic_id}/likes/create',
    tag: 'News feed',
    summary: 'Like a topic',
    description:
      'Liking a topic again has no effect. Returns the topic as in a list. An extension of the interface specification.',
    access: { role: 'moderator', actor: ['created_by'] },
    params: record({ topic_id }),
    body: record({ created_by: Id('participant', 'The participant who likes it.') }),
    data: NewsFeed,
    fails: ['TOPIC_NOT_FOUND', 'PARTICIPANT_NOT_FOUND'],
  }),
  unlikeTopic: operation({
    method: 'DELETE',
    path: '/api/newsfeeds/topics/{topic_id}/likes/{participant_id}/delete',
    tag: 'News feed',
    summary: 'Remove a like',
    description: 'An extension of the interface specification.',
    access: { role: 'moderator', actor: ['participant_id'] },
    params: record({ topic_id, participant_id: Id('participant', 'The participant who liked it.') }),
    data: DeletedMessage,
    fails: ['TOPIC_NOT_FOUND', 'LIKE_NOT_FOUND'],
  }),
  listComments: operation({
    method: 'GET',
    path: '/api/newsfeeds/topics/{topic_id}/comments/{offset}/{limit}',
    tag: 'News feed',
    summary: "List a topic's comments, oldest first",
    access: { readers: 'anyone' },
    params: record({ topic_id, ...pageOf('comment') }),
    data: Comments,
    fails: ['TOPIC_NOT_FOUND'],
  }),
  createComment: operation({
    method: 'POST',
    path: '/api/newsfeeds/topics/{topic_id}/comments/create',
    tag: 'News feed',
    summary: 'Comment on a topic',
    access: { role: 'moderator', actor: ['created_by'] },
    params: record({ topic_id }),
    body: record({ comment, created_by: author, ...uploads }),
    data: Comments,
    fails: ['TOPIC_NOT_FOUND', 'TOO_MANY_FILES'],
  }),
  getComment: operation({
    method: 'GET',
    path: '/api/newsfeeds/comments/{comment_id}/details',
    tag: 'News feed',
    summary: 'Read a comment',
    access: { readers: 'anyone' },
    params: record({ comment_id }),
    data: Comments,
    fails: ['COMMENT_NOT_FOUND'],
  }),
  updateComment: operation({
    method: 'PUT',
    path: '/api/newsfeeds/comments/{comment_id}/update',
    tag: 'News feed',
    summary: 'Change a comment',
    description: 'Existing files stay, and those sent are added.',
    access: { role: 'moderator', actor: ['updated_by'], changesOwn: true },
    params: record({ comment_id }),
    body: record({
      comment,
      created_by: formerAuthor,
      updated_by: editor,
      ...uploads,
    }),
    data: Comments,
    fails: ['COMMENT_NOT_FOUND', 'TOO_MANY_FILES'],
  }),
  deleteComment: operation({
    method: 'DELETE',
    path: '/api/newsfeeds/comments/{comment_id}/delete',
    tag: 'News feed',
    summary: 'Delete a comment',
    access: { role: 'moderator', changesOwn: true },
    params: record({ comment_id }),
    data: DeletedMessage,
    fails: ['COMMENT_NOT_FOUND'],
  }),
}
