import type { Data } from '../../../../contract/index.ts'
import { Failure } from '../../../core/failure.ts'
import type { EventId } from '../../../core/ids.ts'
import type { PreparationInput, StoreBlob } from '../../../operation.ts'
import type { Resize } from '../../../platform/images/resizer.ts'
import { UnusableImage } from '../../../platform/images/unusable-image.ts'
import type { PreparationScope, RequestScope } from '../../../scope.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { nameImage } from '../../files/store-image.ts'
import { listAllEvents } from '../../program/events.ts'
import { findRecords, listRecords } from '../../program/records.ts'
import { loadEvents } from '../../program/stored-events.ts'
import { findToContinue, recordRevision } from '../../revisions/record-revision.ts'
import { createTargetFinder, type FoundTargets, type ImageTarget } from '../images/image-targets.ts'
import {
  assignImages,
  fitFor,
  identify,
  newPicture,
  type Outcome,
  pictureOf,
  toPictureWrite,
} from '../images/target-pictures.ts'

// Participants are left out: a revision with one of them cannot be undone by request (decision 61).

type Images = Data<'planImagesImport'>['images']
type Target = Images[number]['targets'][number]

/** Files with only their names. */
export async function planImagesImport(
  { db }: PreparationScope,
  { names, source }: PreparationInput<'planImagesImport'>,
): Promise<Data<'planImagesImport'>> {
  const use = async (_: number, targets: readonly ImageTarget[]) => ({
    used: targets.map((target) => toTarget(target, pictureOf(target) === '' ? 'new' : 'replaced')),
  })
  return { images: await assign(db, names, source, use) }
}

/**
 * Redraws and stores images, and then attaches all of them in one revision, which may be that of the request before.
 * @throws Failure UNAVAILABLE; EVENT_CHANGED if something that one is for has been deleted meanwhile
 */
export async function prepareImagesImport(
  { db }: PreparationScope,
  resize: Resize,
  { uploads, source, revision_id }: PreparationInput<'applyImagesImport'>,
  storeBlob: StoreBlob,
): Promise<Data<'applyImagesImport'> | ((scope: RequestScope) => Promise<Data<'applyImagesImport'>>)> {
  const stored: { target: ImageTarget; value: string }[] = []
  const use = async (at: number, targets: readonly ImageTarget[]): Promise<Outcome<Target[]>> => {
    const upload = uploads[at]
    if (upload?.kind !== 'part') return { reason: 'Links are not followed; send the image itself.' }
    const image = await resize(async () => upload.staged, fitFor(targets)).catch(toReason)
    if ('reason' in image) return image
    const { sha256, name } = nameImage(image.bytes)
    const used: Target[] = []
    for (const target of targets) {
      const before = pictureOf(target)
      const change = before === '' ? 'new' : before.includes(sha256) ? 'unchanged' : 'replaced'
      used.push(toTarget(target, change))
      if (change === 'unchanged') continue
      const { key, value } = newPicture(target, name, image.extension)
      await storeBlob(key, image.bytes)
      stored.push({ target, value })
    }
    return { used }
  }
  const names = uploads.map((upload) => (upload.kind === 'part' ? upload.name : upload.link))
  const images = await assign(db, names, source, use)
  if (stored.length === 0) return { images, revision_id: null }
  return async (scope) => {
    await assertPresent(
      scope.db,
      stored.map(({ target }) => target),
    )
    const writes = stored.map(({ target, value }) => toPictureWrite(scope, target, value))
    // Without the names of the files, which are those of speakers: they would outlive an erasure.
    const revision = { kind: 'import', command: 'import images' } as const
    const continued = revision_id === undefined ? undefined : await findToContinue(scope, revision_id, revision)
    const revisionId = await recordRevision(scope, revision, writes, { revisionId: continued })
    return { images, revision_id: revisionId === undefined ? null : String(revisionId) }
  }
}

function toReason(error: unknown): { reason: string } {
  if (error instanceof UnusableImage) return { reason: error.message }
  throw error
}

function toTarget(target: ImageTarget, change: Target['change']): Target {
  const { id, name } = identify(target)
  return { kind: target.of === 'event' ? 'event' : 'speaker', id: String(id), name, picture: target.kind, change }
}

/** Finds the targets of files by their names, and uses the files for them. @returns the outcomes, in the order of the names */
async function assign(
  db: Db,
  names: readonly string[],
  source: string | undefined,
  use: (at: number, targets: readonly ImageTarget[]) => Promise<Outcome<Target[]>>,
): Promise<Images> {
  const possible = {
    events: await listAllEvents(db),
    speakers: await listRecords(db, 'speaker'),
    participants: undefined,
  }
  const findTargets = createTargetFinder(possible, source || undefined)
  const find = (at: number): FoundTargets => findTargets(names[at] ?? '')
  const images: Images = []
  for await (const { at, outcome } of assignImages(names, find, use))
    images[at] = {
      name: names[at] ?? '',
      targets: 'used' in outcome ? outcome.used : [],
      reason: 'reason' in outcome ? outcome.reason : null,
    }
  return images
}

/** @throws Failure EVENT_CHANGED */
async function assertPresent(db: Db, targets: readonly ImageTarget[]): Promise<void> {
  const idsOf = (kind: ImageTarget['of']) => [
    ...new Set(targets.flatMap((target) => (target.of === kind ? identify(target).id : []))),
  ]
  const [events, speakers] = [idsOf('event') as EventId[], idsOf('speaker')]
  const presentEvents = (await loadEvents(db, events)).filter(({ row }) => row.deleted_at === 0)
  const presentSpeakers = await findRecords(db, 'speaker', speakers)
  if (presentEvents.length < events.length || presentSpeakers.length < speakers.length)
    throw new Failure('EVENT_CHANGED')
}
