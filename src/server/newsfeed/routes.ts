import type { newsfeed } from '../../contract/newsfeed.ts'
import type { Handlers } from '../operation.ts'
import { createComment, deleteComment, getComment, listComments, updateComment } from './comments.ts'
import { likeTopic, unlikeTopic } from './likes.ts'
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics.ts'

export const newsfeedRoutes: Handlers<keyof typeof newsfeed> = {
  listTopics,
  createTopic,
  getTopic: (scope, { topic_id }) => getTopic(scope, topic_id),
  updateTopic,
  deleteTopic: (scope, { topic_id }) => deleteTopic(scope, topic_id),
  likeTopic,
  unlikeTopic,
  listComments: (scope, { topic_id, ...page }) => listComments(scope, topic_id, page),
  createComment,
  getComment: (scope, { comment_id }) => getComment(scope, comment_id),
  updateComment,
  deleteComment: (scope, { comment_id }) => deleteComment(scope, comment_id),
}
