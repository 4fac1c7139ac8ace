import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Context } from '../../../context.ts'
import { resizeFile } from '../../../platform/images/resize-file.ts'
import { UnusableImage } from '../../../platform/images/unusable-image.ts'
import { commandScope } from '../../../scope.ts'
import { listAllParticipants } from '../../participants/participants.ts'
import { listAllEvents } from '../../program/events.ts'
import { listRecords } from '../../program/records.ts'
import { recordRevision } from '../../revisions/record-revision.ts'
import { createTargetFinder, type FoundTargets, type ImageTarget } from './image-targets.ts'
import {
  assignImages,
  describeTarget,
  fitFor,
  newPicture,
  type Outcome,
  pictureOf,
  toPictureWrite,
} from './target-pictures.ts'

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
 * Resizes the images of a folder and attaches them to sessions, speakers and participants. Each has its own transaction, so
 * a bad image does not affect the others.
 */
export async function importImages(
  ctx: Context,
  folder: string,
  { source, apply, onProgress }: ImportOptions,
): Promise<{ planned: PlannedImage[]; importId: number | undefined }> {
  const { read } = ctx.database
  const findTargets = createTargetFinder(
    {
      events: await listAllEvents(read),
      speakers: await listRecords(read, 'speaker'),
      participants: await listAllParticipants(read),
    },
    source,
  )
  // Hidden files are not listed, unless one has the name of a session, such as “.NET”; `._` files hold metadata of macOS.
  const isListed = (name: string) => !name.startsWith('.') || (!name.startsWith('._') && 'targets' in findTargets(name))
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isListed(name))
  const names = entries.map(({ name }) => name)
  const run: ImagesRun = { ctx, folder, importId: undefined }
  const find = (at: number): FoundTargets => {
    const entry = entries[at]
    return !entry || entry.isFile() ? findTargets(names[at] ?? '') : { reason: whyNotFile(entry) }
  }
  const use = (at: number, targets: readonly ImageTarget[]) => importImage(run, names[at] ?? '', targets, apply)
  const planned: PlannedImage[] = []
  let done = 0
  for await (const { at, outcome } of assignImages(names, find, use)) {
    const file = names[at] ?? ''
    if ('reason' in outcome) planned.push({ change: 'skipped', file, reason: outcome.reason })
    else planned.push(...outcome.used.map((image) => ({ ...image, file })))
    onProgress(++done, names.length)
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

/** @returns the effect on each target, or the reason why the image cannot be used */
async function importImage(
  run: ImagesRun,
  file: string,
  targets: readonly ImageTarget[],
  apply: boolean,
): Promise<Outcome<Omit<PlannedImage, 'file'>[]>> {
  const path = join(run.folder, file)
  // The whole file is read into memory, so check its size first.
  if ((await stat(path)).size > maxBytes) return { reason: 'The file is larger than 100 MiB.' }
  try {
    const used: Omit<PlannedImage, 'file'>[] = []
    const { bytes, extension } = await resizeFile(path, fitFor(targets))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    for (const target of targets) {
      const before = pictureOf(target)
      const { key, value } = newPicture(target, sha256, extension)
      const change = before === value ? 'unchanged' : before === '' ? 'new' : 'replaced'
      used.push({ change, target: describeTarget(target) })
      if (apply && change !== 'unchanged') await attach(run, target, { key, value, bytes })
    }
    return { used }
  } catch (error) {
    if (error instanceof UnusableImage) return { reason: error.message }
    throw error
  }
}

/** Stores the bytes before the row. The previous picture stays until the import is undone. */
async function attach(
  run: ImagesRun,
  target: ImageTarget,
  { key, value, bytes }: { key: string; value: string; bytes: Buffer },
): Promise<void> {
  const { ctx, folder } = run
  const staged = await ctx.blobs.stage([bytes], maxBytes)
  await staged.store(key)
  const command = 'import images'
  run.importId = await ctx.database.transaction((tx) => {
    const scope = commandScope(ctx, tx, command)
    const write = toPictureWrite(scope, target, value)
    return recordRevision(scope, { kind: 'import', command, file: basename(folder) }, [write], {
      revisionId: run.importId,
    })
  })
  await ctx.blobs.confirm(key)
}
