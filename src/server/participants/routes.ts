import type { participants } from '../../contract/participants.ts'
import type { Context } from '../context.ts'
import type { Handlers } from '../operation.ts'
import { listParticipants, updateParticipant } from './participants.ts'
import { readParticipantPhoto } from './photos.ts'

export const participantsRoutes = ({ blobs }: Context): Handlers<keyof typeof participants> => ({
  listParticipants: (input, scope) => listParticipants(scope, input),
  readParticipantPhoto: ({ participantId, file_name }, scope) =>
    readParticipantPhoto(scope, blobs, participantId, file_name),
  updateParticipant: (input, scope) => updateParticipant(scope, input),
})
