import type { newsfeed } from '../../contract/newsfeed.ts'
import type { Handlers } from '../operation.ts'
import { createComment, deleteComment, getComment, listComments, updateComment } from './comments.ts'
import { likeTopic, unlikeTopic } from './likes.ts'
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics.ts'

export const newsfeedRoutes: Handlers<keyof typeof newsfeed> = {
  listTopics: (page, scope) => listTopics(scope, page),
  createTopic: (input, scope) => createTopic(scope, input),
  getTopic: ({ topic_id }, scope) => getTopic(scope, topic_id),
  updateTopic: (input, scope) => updateTopic(scope, input),
  deleteTopic: ({ topic_id }, scope) => deleteTopic(scope, topic_id),
  likeTopic: (input, scope) => likeTopic(scope, input),
  unlikeTopic: (input, scope) => unlikeTopic(scope, input),
  listComments: ({ topic_id, ...page }, scope) => listComments(scope, topic_id, page),
  createComment: (input, scope) => createComment(scope, input),
  getComment: ({ comment_id }, scope) => getComment(scope, comment_id),
  updateComment: (input, scope) => updateComment(scope, input),
  deleteComment: ({ comment_id }, scope) => deleteComment(scope, comment_id),
}
