import { exportedList, written } from '../db/exported-list.ts'
import { commentsAfter, likesAfter, topicsAfter } from './export-store.ts'

export const newsfeedExport = {
  topics: exportedList(['id', 'header', 'body', ...written], topicsAfter),
  comments: exportedList(['id', 'topic_id', 'comment', ...written], commentsAfter),
  likes: exportedList(['id', 'topic_id', 'participant_id', 'created_at'], likesAfter),
}
