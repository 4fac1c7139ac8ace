import { auditColumns, exportedList } from '../../storage/db/exported-list.ts'
import { feedbackAfter } from './store.ts'

export const feedbackExport = {
  feedback: exportedList(
    {
      id: 'shown',
      participant_id: 'shown',
      participant: 'shown',
      program_id: 'shown',
      session: 'shown',
      quality: 'shown',
      rating: 'shown',
      relevance: 'shown',
      expectation: 'shown',
      comments: 'shown',
      ...auditColumns,
      created_by: 'withheld',
      modified_at: 'withheld',
      modified_by: 'withheld',
    },
    feedbackAfter,
  ),
}
