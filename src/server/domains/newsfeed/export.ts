import { auditColumns, exportedList } from '../../storage/db/exported-list.ts'
import { commentsAfter } from './comment-store.ts'
import { likesAfter } from './like-store.ts'
import { topicsAfter } from './topic-store.ts'

export const newsfeedExport = {
  topics: exportedList({ id: 'shown', header: 'shown', body: 'shown', ...auditColumns }, topicsAfter),
  comments: exportedList({ id: 'shown', topic_id: 'shown', comment: 'shown', ...auditColumns }, commentsAfter),
  likes: exportedList(
    {
      id: 'shown',
      topic_id: 'shown',
      participant_id: 'shown',
      ...auditColumns,
      created_by: 'withheld',
      modified_at: 'withheld',
      modified_by: 'withheld',
    },
    likesAfter,
  ),
}
