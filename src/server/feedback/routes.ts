import type { feedback } from '../../contract/feedback.ts'
import type { Handlers } from '../operation.ts'
import { addFeedback, listFeedback } from './feedback.ts'

export const feedbackRoutes: Handlers<keyof typeof feedback> = {
  listFeedback,
  listFeedbackOfParticipant: (scope, { participant_id, ...page }) => listFeedback(scope, page, participant_id),
  addFeedback,
}
