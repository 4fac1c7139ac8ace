import type { participants } from '../../contract/participants.ts'
import type { Context } from '../context.ts'
import type { Handlers } from '../operation.ts'
import { listParticipants, updateParticipant } from './participants.ts'
import { readParticipantPhoto } from './photos.ts'

export const participantsRoutes = ({ blobs }: Context): Handlers<keyof typeof participants> => ({
  listParticipants,
  readParticipantPhoto: (scope, { participantId, file_name }) =>
    readParticipantPhoto(scope, blobs, participantId, file_name),
  updateParticipant,
})
