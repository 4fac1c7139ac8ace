import { createPause } from '../../../core/in-turns.ts'
import type { Fit } from '../../../platform/images/resize.ts'
import type { WriteScope } from '../../../scope.ts'
import { fullNameOf, updateParticipant } from '../../participants/participants.ts'
import { photoFit, photoKey, photoPath } from '../../participants/photos.ts'
import { changePicture } from '../../program/drafts.ts'
import { bannerFit, type PictureKind, pictureKey, speakerPhotoKey } from '../../program/pictures.ts'
import { updateRecord } from '../../program/records.ts'
import { loadEvents } from '../../program/stored-events.ts'
import type { RecordWrite } from '../../revisions/record-revision.ts'
import type { FoundTargets, ImageTarget } from './image-targets.ts'

/** How the images for targets are redrawn. Those of one file have the same kind. */
export const fitFor = ([target]: readonly ImageTarget[]): Fit => pictureFits[target?.kind ?? 'photo']

const pictureFits: Record<PictureKind, Fit> = {
  banner: bannerFit,
  photo: photoFit,
}

/** The id and the name of a target, for display. */
export function identify(target: ImageTarget): { id: number; name: string } {
  switch (target.of) {
    case 'event':
      return { id: target.event.id, name: target.event.title }
    case 'speaker':
      return { id: target.speaker.id, name: target.speaker.name }
    case 'participant':
      return { id: target.participant.id, name: fullNameOf(target.participant) }
  }
}

export function describeTarget(target: ImageTarget): string {
  const { id, name } = identify(target)
  if (target.of === 'participant') return `photo of participant ${id} ${name}`
  return `${target.kind} of ${target.of === 'event' ? 'session' : 'speaker'} ${id} “${name}”`
}

/** The stored value of the banner or photo; `''` for none. */
export function pictureOf(target: ImageTarget): string {
  switch (target.of) {
    case 'event':
      return target.event[target.kind]
    case 'speaker':
      return target.speaker.photo
    case 'participant':
      return target.participant.photo
  }
}

/** The blob key of a new image, and the value of the banner or photo. @param name see `pictureKey` */
export function newPicture(target: ImageTarget, name: string, extension: string): { key: string; value: string } {
  if (target.of === 'participant') {
    const value = photoPath(target.participant.id, name, extension)
    return { key: photoKey(value), value }
  }
  const key =
    target.of === 'event'
      ? pictureKey(target.event.id, target.kind, name, extension)
      : speakerPhotoKey(target.speaker.id, name, extension)
  return { key, value: key }
}

/** The write with which a target gets its picture. */
export function toPictureWrite(scope: WriteScope, target: ImageTarget, value: string): RecordWrite {
  const { id } = identify(target)
  const write = async () => {
    await writePicture(scope, target, value)
    return id
  }
  return { kind: target.of, id, write }
}

async function writePicture(scope: WriteScope, target: ImageTarget, value: string): Promise<void> {
  switch (target.of) {
    case 'event': {
      const [event] = await loadEvents(scope.db, [target.event.id])
      if (event) await changePicture(scope, event, { [target.kind]: value })
      return
    }
    case 'speaker':
      return updateRecord(scope, 'speaker', target.speaker.id, { photo: value })
    case 'participant':
      await updateParticipant(scope, { participantId: target.participant.id, photo: value })
  }
}

/** The use of a file, or the reason why it has none. */
export type Outcome<U> = { used: U } | { reason: string }

/**
 * Takes files by name. Of several for one banner or photo, the first that can be used gets it.
 * @param names in any order
 * @param use the targets are those that no other file has got
 * @returns the outcome of each file, with its index in `names`
 */
export async function* assignImages<U>(
  names: readonly string[],
  findTargets: (at: number) => FoundTargets,
  use: (at: number, targets: readonly ImageTarget[]) => Promise<Outcome<U>>,
): AsyncGenerator<{ at: number; outcome: Outcome<U> }, void> {
  const taken = new Map<string, string>()
  const byName = names
    .map((name, at) => ({ name, at }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const pause = createPause()
  for (const { name, at } of byName) {
    await pause()
    const found = findTargets(at)
    const all = 'targets' in found ? found.targets : []
    const free = all.filter((target) => !taken.has(describeTarget(target)))
    const [first] = all
    if ('reason' in found) yield { at, outcome: found }
    else if (free.length === 0 && first) yield { at, outcome: { reason: whyTaken(first, taken) } }
    else {
      const outcome = await use(at, free)
      if ('used' in outcome) for (const target of free) taken.set(describeTarget(target), name)
      yield { at, outcome }
    }
  }
}

const whyTaken = (target: ImageTarget, taken: ReadonlyMap<string, string>): string =>
  `Another file is the ${describeTarget(target)}: ${taken.get(describeTarget(target))}.`
