import type { feed } from '../../../contract/feed.ts'
import type { newsfeed } from '../../../contract/newsfeed.ts'
import type { Dependency, Handlers } from '../../operation.ts'
import { createComment, deleteComment, getComment, listComments, updateComment } from './comments.ts'
import { readFeed, readThread } from './feed.ts'
import { likeTopic, unlikeTopic } from './likes.ts'
import { createTopic, deleteTopic, getListedTopic, getTopic, listTopics, updateTopic } from './topics.ts'

const ofTopic = ({ topic_id }: { topic_id: number }): Dependency[] => [`topic ${topic_id}`, 'participants']

/** @param topics those of a page; undefined before it is read */
const ofPage = (topics: { id: string }[] | undefined): Dependency[] =>
  topics
    ? ['order of topics', ...topics.map(({ id }): Dependency => `topic ${id}`), 'participants']
    : ['topics', 'participants']

export const newsfeedRoutes: Handlers<keyof typeof newsfeed | keyof typeof feed> = {
  listTopics: { read: listTopics, dependsOn: (_input, data) => ofPage(data?.NewsFeed) },
  createTopic,
  getTopic: { read: (scope, { topic_id }) => getTopic(scope, topic_id), dependsOn: ofTopic },
  updateTopic: { write: updateTopic, replayRead: (scope, { topic_id }) => getTopic(scope, topic_id) },
  deleteTopic: (scope, { topic_id }) => deleteTopic(scope, topic_id),
  likeTopic: { write: likeTopic, replayRead: (scope, { topic_id }) => getListedTopic(scope, topic_id) },
  unlikeTopic,
  listComments: { read: (scope, { topic_id, ...page }) => listComments(scope, topic_id, page), dependsOn: ofTopic },
  createComment,
  getComment: {
    read: (scope, { comment_id }) => getComment(scope, comment_id),
    // Neither its input nor its data names its topic.
    dependsOn: () => ['topics', 'participants'],
  },
  updateComment: { write: updateComment, replayRead: (scope, { comment_id }) => getComment(scope, comment_id) },
  deleteComment: (scope, { comment_id }) => deleteComment(scope, comment_id),
  readFeed: { read: readFeed, dependsOn: (_input, data) => ofPage(data?.posts) },
  readThread: { read: (scope, { topic_id, ...page }) => readThread(scope, topic_id, page), dependsOn: ofTopic },
}
