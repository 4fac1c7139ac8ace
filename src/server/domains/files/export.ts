import { auditColumns, exportedList } from '../../storage/db/exported-list.ts'
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
      ...auditColumns,
      modified_at: 'withheld',
      modified_by: 'withheld',
      blob_key: 'withheld',
    },
    filesAfter,
  ),
}
