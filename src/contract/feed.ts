import Type, { type Static, type TSchema } from 'typebox'
import { Id, operation, pageOf, record } from './operation.ts'
import { WireId } from './records.ts'

// Additions to the interface specification: topics and their comments as pages show them. A text that is not known is
// empty, anything else is null.

const orNull = <S extends TSchema>(schema: S, description: string) => Type.Union([schema, Type.Null()], { description })
const Time = Type.String({
  format: 'date-time',
  description: 'In the time zone of the server.',
  examples: ['2030-05-02T09:00:00+02:00'],
})
const Count = Type.Integer({ minimum: 0 })

/** The participant behind a post or comment. */
export const FeedAuthor = record({
  id: orNull(WireId, 'Null if the author is unknown, or was erased.'),
  name: Type.String(),
  designation: Type.String(),
  photo_url: orNull(Type.String(), 'The URL of the photo, which may be on any server.'),
})
export type FeedAuthor = Static<typeof FeedAuthor>

/** A file of a post or comment. */
export const FeedFile = record({
  id: WireId,
  url: Type.String({ description: 'The URL of the file: one of this server, or the link as it was given.' }),
  name: Type.String({ description: 'The file name; empty for a link.' }),
  media_type: Type.String({ examples: ['image/png'] }),
  size: orNull(Type.Integer({ minimum: 0 }), 'Its bytes; null for a link.'),
  is_image: Type.Boolean({ description: 'Whether it is an image on this server that browsers display.' }),
})
export type FeedFile = Static<typeof FeedFile>

const written = {
  created_at: Time,
  edited_at: orNull(Time, 'When it was last changed; null if it never was.'),
  author: FeedAuthor,
  files: Type.Array(FeedFile, { description: 'The oldest first.' }),
}

/** A topic, without its comments. */
export const Post = record({
  id: WireId,
  header: Type.String(),
  body: Type.String(),
  ...written,
  like_count: Count,
  comment_count: Count,
})
export type Post = Static<typeof Post>

/** A comment below its post. */
export const PostComment = record({ id: WireId, text: Type.String(), ...written })
export type PostComment = Static<typeof PostComment>

export const feed = {
  readFeed: operation({
    method: 'GET',
    path: '/api/feed/{offset}/{limit}',
    tag: 'News feed',
    summary: 'Read a page of topics with counts, newest first',
    access: { readers: 'anyone' },
    params: record(pageOf('topic')),
    data: record({
      posts: Type.Array(Post),
      post_count: Type.Integer({ minimum: 0, description: 'How many there are on all pages.' }),
    }),
    fails: [],
  }),
  readThread: operation({
    method: 'GET',
    path: '/api/feed/{topic_id}/{offset}/{limit}',
    tag: 'News feed',
    summary: 'Read a topic with a page of its comments, oldest first',
    access: { readers: 'anyone' },
    params: record({ topic_id: Id('topic', 'The topic.'), ...pageOf('comment') }),
    data: record({ comments: Type.Array(PostComment), post: Post }),
    fails: ['TOPIC_NOT_FOUND'],
  }),
}
