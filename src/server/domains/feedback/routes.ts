import type { feedback } from '../../../contract/feedback.ts'
import type { Dependency, Handlers } from '../../operation.ts'
import { addFeedback, listFeedback, listOwnFeedback } from './feedback.ts'

const dependsOn = (): Dependency[] => ['feedback', 'participants']

export const feedbackRoutes: Handlers<keyof typeof feedback> = {
  listFeedback: { read: listFeedback, readOwn: listOwnFeedback, dependsOn },
  listFeedbackOfParticipant: {
    read: (scope, { participant_id, ...page }) => listFeedback(scope, page, participant_id),
    readOwn: (scope, { participant_id, ...page }) => listOwnFeedback(scope, page, participant_id),
    dependsOn,
  },
  addFeedback,
}
