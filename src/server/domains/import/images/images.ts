import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Context } from '../../../context.ts'
import type { Fit, ResizedImage } from '../../../platform/images/resize.ts'
import { resizeFile } from '../../../platform/images/resize-file.ts'
import { UnusableImage } from '../../../platform/images/unusable-image.ts'
import { commandScope, type WriteScope } from '../../../scope.ts'
import { fullNameOf, listAllParticipants, updateParticipant } from '../../participants/participants.ts'
import { photoFit, photoKey, photoPath } from '../../participants/photos.ts'
import { listAllEvents, updateEvent } from '../../program/events.ts'
import { bannerFit, type PictureKind, pictureKey } from '../../program/pictures.ts'
import { recordRevision } from '../../revisions/record-revision.ts'
import { createTargetFinder, type FoundTargets, type ImageTarget } from './image-targets.ts'

export const imageChanges = ['new', 'replaced', 'unchanged', 'skipped'] as const

/** The effect of an import on one target of an image, or the reason why the file is skipped. */
export interface PlannedImage {
  change: (typeof imageChanges)[number]
  file: string
  /** The banner or photo; absent if the file is skipped. */
  target?: string
  /** The reason why the file is skipped. */
  reason?: string
}

const pictureFits: Record<PictureKind, Fit> = {
  banner: bannerFit,
  photo: photoFit,
}

/** Photos of current cameras are far smaller. */
const maxBytes = 100 * 1024 * 1024

interface ImportOptions {
  /** See `createTargetFinder`. */
  source: string | undefined
  /** Whether to attach the images; otherwise they are only planned. */
  apply: boolean
  /** Called after each file. */
  onProgress: (done: number, all: number) => void
}

/**
 * Resizes the images of a folder and attaches them to sessions and participants. Each has its own transaction, so a bad
 * image does not affect the others. Of several files for one banner or photo, the first usable one by name is attached.
 */
export async function importImages(
  ctx: Context,
  folder: string,
  { source, apply, onProgress }: ImportOptions,
): Promise<{ planned: PlannedImage[]; importId: number | undefined }> {
  const { read } = ctx.database
  const findTargets = createTargetFinder(await listAllEvents(read), await listAllParticipants(read), source)
  // Hidden files are not listed, unless one has the name of a session, such as “.NET”; `._` files hold metadata of macOS.
  const isListed = (name: string) => !name.startsWith('.') || (!name.startsWith('._') && 'targets' in findTargets(name))
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isListed(name))
  const planned: PlannedImage[] = []
  const taken = new Map<string, string>()
  const run: ImagesRun = { ctx, folder, importId: undefined }
  for (const [index, entry] of entries.sort((a, b) => (a.name < b.name ? -1 : 1)).entries()) {
    const file = entry.name
    const found: FoundTargets = entry.isFile() ? findTargets(file) : { reason: whyNotFile(entry) }
    const free = 'targets' in found ? found.targets.filter((target) => !taken.has(describeTarget(target))) : []
    const [first] = 'targets' in found ? found.targets : []
    if ('reason' in found) planned.push({ change: 'skipped', file, reason: found.reason })
    else if (free.length === 0 && first) planned.push({ change: 'skipped', file, reason: whyTaken(first, taken) })
    else {
      const outcome = await importImage(run, file, free, apply)
      if (typeof outcome === 'string') planned.push({ change: 'skipped', file, reason: outcome })
      else {
        for (const target of free) taken.set(describeTarget(target), file)
        planned.push(...outcome.map((image) => ({ ...image, file })))
      }
    }
    onProgress(index + 1, entries.length)
  }
  return { planned, importId: run.importId }
}

/** An import of a folder, in a transaction for each image; it has an id once it has changed something. */
interface ImagesRun {
  ctx: Context
  folder: string
  importId: number | undefined
}

function whyNotFile(entry: Dirent): string {
  if (entry.isDirectory()) return 'This is a folder; subfolders are not read.'
  return entry.isSymbolicLink() ? 'This is a symbolic link; links are not followed.' : 'This is not a regular file.'
}

const whyTaken = (target: ImageTarget, taken: ReadonlyMap<string, string>): string =>
  `Another file of this folder is the ${describeTarget(target)}: ${taken.get(describeTarget(target))}.`

const describeTarget = (target: ImageTarget): string =>
  target.of === 'event'
    ? `${target.kind} of session ${target.event.id} “${target.event.title}”`
    : `photo of participant ${target.participant.id} ${fullNameOf(target.participant)}`

/** @returns the effect on each target, or the reason why the image cannot be used */
async function importImage(
  run: ImagesRun,
  file: string,
  targets: readonly ImageTarget[],
  apply: boolean,
): Promise<Omit<PlannedImage, 'file'>[] | string> {
  const path = join(run.folder, file)
  // The whole file is read into memory, so check its size first.
  if ((await stat(path)).size > maxBytes) return 'The file is larger than 100 MiB.'
  try {
    const planned: Omit<PlannedImage, 'file'>[] = []
    // All of them have the same kind.
    const image = await resizeFile(path, pictureFits[targets[0]?.kind ?? 'photo'])
    for (const target of targets) {
      const [before, after] = valuesOf(target, image)
      planned.push({
        change: before === after ? 'unchanged' : before === '' ? 'new' : 'replaced',
        target: describeTarget(target),
      })
      if (apply && before !== after) await attach(run, target, after, image.bytes)
    }
    return planned
  } catch (error) {
    if (error instanceof UnusableImage) return error.message
    throw error
  }
}

/** The stored value of the banner or photo, and its value for this image. */
function valuesOf(target: ImageTarget, { bytes, extension }: ResizedImage): [before: string, after: string] {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return target.of === 'event'
    ? [target.event[target.kind], pictureKey(target.event.id, target.kind, sha256, extension)]
    : [target.participant.photo, photoPath(target.participant.id, sha256, extension)]
}

/** Stores the bytes before the row. The previous picture stays until the import is undone. */
async function attach(run: ImagesRun, target: ImageTarget, value: string, bytes: Buffer): Promise<void> {
  const { ctx, folder } = run
  const key = blobKeyOf(target, value)
  const staged = await ctx.blobs.stage([bytes], maxBytes)
  await staged.store(key)
  const command = 'import images'
  run.importId = await ctx.database.transaction((tx) => {
    const scope = commandScope(ctx, tx, command)
    const { id } = target.of === 'event' ? target.event : target.participant
    const write = { kind: target.of, id, write: () => setPicture(scope, target, value) }
    return recordRevision(scope, { kind: 'import', command, file: basename(folder) }, [write], {
      revisionId: run.importId,
    })
  })
  await ctx.blobs.confirm(key)
}

const blobKeyOf = (target: ImageTarget, value: string): string => (target.of === 'event' ? value : photoKey(value))

/** @returns the id of the record */
async function setPicture(scope: WriteScope, target: ImageTarget, value: string): Promise<number> {
  if (target.of === 'event') {
    await updateEvent(scope, target.event.id, { [target.kind]: value })
    return target.event.id
  }
  await updateParticipant(scope, { participantId: target.participant.id, photo: value })
  return target.participant.id
}
