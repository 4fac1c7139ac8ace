import { exportedList } from '../db/exported-list.ts'
import { filesAfter } from './store.ts'

export const filesExport = {
  files: exportedList(
    [
      ...(['id', 'topic_id', 'comment_id', 'name', 'file_type', 'size', 'sha256', 'link'] as const),
      ...(['created_at', 'created_by'] as const),
    ],
    filesAfter,
  ),
}
