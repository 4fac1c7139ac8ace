import type { feedback } from '../../contract/feedback.ts'
import type { Handlers } from '../operation.ts'
import { addFeedback, listFeedback } from './feedback.ts'

export const feedbackRoutes: Handlers<keyof typeof feedback> = {
  listFeedback: (page, scope) => listFeedback(scope, page),
  listFeedbackOfParticipant: ({ participant_id, ...page }, scope) => listFeedback(scope, page, participant_id),
  addFeedback: (input, scope) => addFeedback(scope, input),
}
