import type { Data } from '../../../contract/index.ts'
import { photoMember } from '../../../contract/uploads.ts'
import { Failure, invalidField } from '../../core/failure.ts'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import type { ByteResponse, HandlerInput, StoreBlob } from '../../operation.ts'
import type { Fit } from '../../platform/images/resize.ts'
import type { PreparationScope, RequestScope, Scope } from '../../scope.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import type { StoreImage } from '../files/store-image.ts'
import { photoFit } from '../participants/photos.ts'
import { changePicture } from '../program/drafts.ts'
import {
  bannerFit,
  isSpeakerPhoto,
  logoFit,
  logoKey,
  openPicture,
  pictureKey,
  speakerPhotoKey,
} from '../program/pictures.ts'
import { findRecords } from '../program/records.ts'
import { recordRevision } from '../revisions/record-revision.ts'
import { assertSeenConference, saveConference } from './conference.ts'
import { findEditedEvent, getDraftEvent } from './draft.ts'
import { assertSeen } from './seen.ts'
import { assertSeenSpeaker, saveSpeaker } from './speakers.ts'

// Pictures are shown at once. The one before stays stored for as long as the change can be undone.

type PictureName = 'setLogo' | 'setBanner' | 'setSpeakerPhoto'

type PreparePicture<N extends PictureName> = (
  preparation: PreparationScope,
  input: HandlerInput<N>,
  storeBlob: StoreBlob,
) => Promise<(scope: RequestScope) => Promise<Data<N>>>

/** Whether an editor has seen the record is asserted twice: an image costs a process, so it is not redrawn in vain. */
export function createPicturePreparations(storeImage: StoreImage): { [N in PictureName]: PreparePicture<N> } {
  /** @returns the blob key; `''` to remove the picture @throws Failure VALIDATION_FAILED, UNAVAILABLE */
  const prepareKey = async (
    { photo, photoPart }: Pick<HandlerInput<PictureName>, 'photo' | 'photoPart'>,
    fit: Fit,
    keyOf: (name: string, extension: string) => string,
    storeBlob: StoreBlob,
  ): Promise<string> => {
    if (photoPart) return storeImage(async () => photoPart, fit, keyOf, storeBlob)
    if (photo === '') return ''
    const message = `${photoMember} must be an image as a file part, or empty to remove it.`
    throw invalidField(photoMember, photo === undefined ? 'REQUIRED' : 'NOT_AN_IMAGE', message)
  }

  return {
    setLogo: async (preparation, { revision, ...input }, storeBlob) => {
      await assertSeenConference(preparation, revision)
      const logo = await prepareKey(input, logoFit, logoKey, storeBlob)
      return async (scope) => {
        await assertSeenConference(scope, revision)
        return saveConference(scope, 'setLogo', { logo })
      }
    },
    setBanner: async (preparation, { id, revision, ...input }, storeBlob) => {
      await assertSeenEvent(preparation, id, revision)
      const keyOf = (name: string, extension: string) => pictureKey(id, 'banner', name, extension)
      const banner = await prepareKey(input, bannerFit, keyOf, storeBlob)
      return async (scope) => {
        await assertSeenEvent(scope, id, revision)
        return saveBanner(scope, id, banner)
      }
    },
    setSpeakerPhoto: async (preparation, { id, revision, ...input }, storeBlob) => {
      await assertSeenSpeaker(preparation, id, revision)
      const keyOf = (name: string, extension: string) => speakerPhotoKey(id, name, extension)
      const photo = await prepareKey(input, photoFit, keyOf, storeBlob)
      return async (scope) => {
        await assertSeenSpeaker(scope, id, revision)
        return saveSpeaker(scope, 'setSpeakerPhoto', id, { photo })
      }
    },
  }
}

/** Pictures of events and speakers that attendees may not see. @throws Failure EVENT_NOT_FOUND, FILE_NOT_FOUND */
export async function readDraftBanner({ db }: Scope, blobs: BlobStore, id: EventId): Promise<ByteResponse> {
  return openPicture(blobs, (await findEditedEvent(db, id)).row.banner)
}

/** @throws Failure SPEAKER_NOT_FOUND, FILE_NOT_FOUND */
export async function readDraftSpeakerPhoto({ db }: Scope, blobs: BlobStore, id: SpeakerId): Promise<ByteResponse> {
  const [speaker] = await findRecords(db, 'speaker', [id])
  if (!speaker) throw new Failure('SPEAKER_NOT_FOUND')
  return openPicture(blobs, isSpeakerPhoto(speaker.photo) ? speaker.photo : '')
}

/** @throws Failure EVENT_NOT_FOUND, EVENT_CHANGED */
async function assertSeenEvent(scope: Scope, id: EventId, revision: number): Promise<void> {
  await findEditedEvent(scope.db, id)
  await assertSeen(scope, 'event', [id], revision, () => getDraftEvent(scope, id))
}

async function saveBanner(scope: RequestScope, id: EventId, banner: string): Promise<Data<'setBanner'>> {
  const event = await findEditedEvent(scope.db, id)
  const write = async () => {
    await changePicture(scope, event, { banner })
    return id
  }
  await recordRevision(scope, { kind: 'edit', command: 'setBanner' }, [{ kind: 'event', id, write }])
  return getDraftEvent(scope, id)
}
