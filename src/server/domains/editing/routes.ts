import type { editing } from '../../../contract/editing.ts'
import type { editingRecords } from '../../../contract/editing-records.ts'
import type { revisions } from '../../../contract/revisions.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../operation.ts'
import type { StoreImage } from '../files/store-image.ts'
import { listReleases } from '../revisions/releases.ts'
import { updateConference } from './conference.ts'
import { compareDraftEvent, getDraft, getDraftSpeaker } from './draft.ts'
import { deleteEvent, prepareEvent, prepareNewEvent } from './events.ts'
import { createPicturePreparations, readDraftBanner, readDraftSpeakerPhoto } from './pictures.ts'
import { discardDraft, planPublication, publish } from './publish.ts'
import { listRevisions, planUndo, undo } from './revisions.ts'
import { setRooms, setTracks } from './rooms-and-tracks.ts'
import { prepareNewSpeaker, prepareSpeaker, prepareSpeakerErasure } from './speakers.ts'

export function editingRoutes(
  ctx: Context,
  storeImage: StoreImage,
): Handlers<keyof typeof editing | keyof typeof editingRecords | keyof typeof revisions> {
  const pictures = createPicturePreparations(storeImage)
  return {
    getDraft,
    getDraftEvent: (scope, { id }) => compareDraftEvent(scope, id),
    createEvent: { prepare: prepareNewEvent },
    updateEvent: { prepare: prepareEvent },
    deleteEvent,
    planPublication,
    publish,
    discardDraft,
    listReleases: { read: listReleases, dependsOn: () => ['program'] },
    listRevisions,
    planUndo: (scope, { id }) => planUndo(scope, id),
    undoRevision: undo,
    updateConference,
    setRooms,
    setTracks,
    createSpeaker: { prepare: prepareNewSpeaker },
    getDraftSpeaker: (scope, { id }) => getDraftSpeaker(scope, id),
    updateSpeaker: { prepare: prepareSpeaker },
    deleteSpeaker: { prepare: (scope, input) => prepareSpeakerErasure(scope, ctx, input) },
    readDraftBanner: (scope, { id }) => readDraftBanner(scope, ctx.blobs, id),
    readDraftSpeakerPhoto: (scope, { id }) => readDraftSpeakerPhoto(scope, ctx.blobs, id),
    setLogo: { prepare: pictures.setLogo },
    setBanner: { prepare: pictures.setBanner },
    setSpeakerPhoto: { prepare: pictures.setSpeakerPhoto },
  }
}
