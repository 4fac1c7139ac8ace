import type { participants } from '../../contract/participants.ts'
import type { Handlers } from '../operation.ts'
import { listParticipants, updateParticipant } from './participants.ts'

export const participantsRoutes: Handlers<keyof typeof participants> = {
  listParticipants: (input, scope) => listParticipants(scope, input),
  updateParticipant: (input, scope) => updateParticipant(scope, input),
}
