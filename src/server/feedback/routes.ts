import type { feedback } from '../../contract/feedback.ts'
import type { Handlers } from '../operation.ts'
import { addFeedback, listFeedback, listOwnFeedback } from './feedback.ts'

export const feedbackRoutes: Handlers<keyof typeof feedback> = {
  listFeedback: { readAll: listFeedback, readOwn: listOwnFeedback },
  listFeedbackOfParticipant: {
    readAll: (scope, { participant_id, ...page }) => listFeedback(scope, page, participant_id),
    readOwn: (scope, { participant_id, ...page }) => listOwnFeedback(scope, page, participant_id),
  },
  addFeedback,
}
