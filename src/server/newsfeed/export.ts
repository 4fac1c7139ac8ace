import { auditColumns, exportedList } from '../db/exported-list.ts'
import { commentsAfter, likesAfter, topicsAfter } from './export-store.ts'

export const newsfeedExport = {
  topics: exportedList(['id', 'header', 'body', ...auditColumns], topicsAfter),
  comments: exportedList(['id', 'topic_id', 'comment', ...auditColumns], commentsAfter),
  likes: exportedList(['id', 'topic_id', 'participant_id', 'created_at'], likesAfter),
}
