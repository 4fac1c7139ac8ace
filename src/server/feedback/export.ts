import { exportedList } from '../db/exported-list.ts'
import { feedbackAfter } from './store.ts'

export const feedbackExport = {
  feedback: exportedList(
    [
      ...(['id', 'participant_id', 'participant', 'program_id', 'session'] as const),
      ...(['quality', 'rating', 'relevance', 'expectation'] as const),
      ...(['comments', 'created_at'] as const),
    ],
    feedbackAfter,
  ),
}
