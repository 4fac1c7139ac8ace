import type { participants } from '../../../contract/participants.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../operation.ts'
import { listParticipants, prepareUpdate } from './participants.ts'
import type { PreparePhoto } from './photo-changes.ts'
import { readParticipantPhoto } from './photos.ts'

export const participantsRoutes = (
  { blobs }: Context,
  preparePhoto: PreparePhoto,
): Handlers<keyof typeof participants> => ({
  listParticipants: { read: listParticipants, dependsOn: () => ['participants'] },
  readParticipantPhoto: (scope, { participantId, file_name }) =>
    readParticipantPhoto(scope, blobs, participantId, file_name),
  updateParticipant: {
    prepare: (scope, input, storeBlob) => prepareUpdate(scope, preparePhoto, input, storeBlob),
  },
})
