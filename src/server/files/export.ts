import { exportedList } from '../db/exported-list.ts'
import { filesAfter } from './store.ts'

export const filesExport = {
  files: exportedList(
    {
      id: 'shown',
      topic_id: 'shown',
      comment_id: 'shown',
      name: 'shown',
      file_type: 'shown',
      size: 'shown',
      sha256: 'shown',
      link: 'shown',
      created_at: 'shown',
      created_by: 'shown',
      blob_key: 'withheld',
      modified_at: 'withheld',
      modified_by: 'withheld',
      is_deleted: 'withheld',
      deleted_at: 'withheld',
      deleted_by: 'withheld',
    },
    filesAfter,
  ),
}
