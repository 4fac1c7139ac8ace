import type { participants } from '../../../contract/participants.ts'
import type { Context } from '../../context.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { Handlers } from '../../operation.ts'
import { listParticipants, prepareUpdate, readParticipant } from './participants.ts'
import type { PreparePhoto } from './photo-changes.ts'
import { readParticipantPhoto } from './photos.ts'
import { createParticipantSearch } from './search.ts'

export const participantsRoutes = (
  { blobs, config, database }: Context,
  freshness: Freshness,
  preparePhoto: PreparePhoto,
): Handlers<keyof typeof participants> => ({
  listParticipants: { read: listParticipants, dependsOn: () => ['participants'] },
  readParticipant: {
    read: (scope, { participantId }) => readParticipant(scope, participantId),
    dependsOn: () => ['participants'],
  },
  searchParticipants: createParticipantSearch({
    database,
    freshness,
    dependencies: ['participants'],
    isStored: config.pageCacheBytes > 0,
  }),
  readParticipantPhoto: (scope, { participantId, file_name }) =>
    readParticipantPhoto(scope, blobs, participantId, file_name),
  updateParticipant: {
    prepare: (scope, input, storeBlob) => prepareUpdate(scope, preparePhoto, input, storeBlob),
  },
})
