import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import type { EventId } from '../core/ids.ts'
import type { Row } from '../db/tables.ts'
import { type Fit, UnusableImage } from '../images/resize.ts'
import { resizeFile } from '../images/resize-file.ts'
import { findEvents, updateEvent } from '../program/events.ts'
import { type PictureKind, pictureKey } from '../program/pictures.ts'
import { commandScope } from '../scope.ts'

/** The outcome for one entry of the folder. */
export interface ImageResult {
  file: string
  /** The event that the image was attached to; absent if it was skipped. */
  eventId?: EventId
  /** Why the file was skipped. */
  reason?: string
}

const pictureFits: Record<PictureKind, Fit> = {
  banner: { width: 1600, height: 900, crop: false },
  photo: { width: 512, height: 512, crop: true },
}

/** Photos of current cameras are far smaller. */
const maxBytes = 100 * 1024 * 1024

/**
 * Resizes and attaches the images of a folder, named `<event id or guid>.banner.jpg` and `….photo.png`. Each has its own
 * transaction, so a bad image does not affect the others. Of several files for one banner or photo, the first usable
 * one by name is attached.
 * @param source matches only guids of this program; undefined matches ids, and guids of any program
 * @param onProgress called after each file
 */
export async function importImages(
  ctx: Context,
  folder: string,
  source: string | undefined,
  onProgress: (done: number, all: number) => void,
): Promise<ImageResult[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
  const results: ImageResult[] = []
  const attached = new Map<string, string>()
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const result = entry.isFile()
      ? await importImage(ctx, folder, entry.name, source, attached)
      : { reason: whyNotFile(entry) }
    results.push({ file: entry.name, ...result })
    onProgress(results.length, entries.length)
  }
  return results
}

function whyNotFile(entry: Dirent): string {
  if (entry.isDirectory()) return 'This is a folder; subfolders are not read.'
  return entry.isSymbolicLink() ? 'This is a symbolic link; links are not followed.' : 'This is not a regular file.'
}

/** @param attached the files attached so far, by event and kind; updated by this function */
async function importImage(
  ctx: Context,
  folder: string,
  file: string,
  source: string | undefined,
  attached: Map<string, string>,
): Promise<Omit<ImageResult, 'file'>> {
  const [, name, word] = /^(.+)\.(banner|photo)\.[a-z0-9]+$/i.exec(file) ?? []
  const kind = word?.toLowerCase()
  if (!name || !isPictureKind(kind))
    return { reason: 'The name must be like <event id or guid>.banner.jpg or <event id or guid>.photo.jpg.' }
  const [event, ...others] = await findEvents(ctx.database.read, name, source)
  if (!event) return { reason: noSuchEvent(name, source) }
  if (others.length > 0) return { reason: ambiguousName([event, ...others], name) }
  const picture = `${event.id} ${kind}`
  const first = attached.get(picture)
  if (first !== undefined) return { reason: `The event already has a ${kind} from this folder: ${first}.` }
  const path = join(folder, file)
  // The whole file is read into memory, so check its size first.
  if ((await stat(path)).size > maxBytes) return { reason: 'The file is larger than 100 MiB.' }
  try {
    const { bytes, extension } = await resizeFile(path, pictureFits[kind])
    const key = pictureKey(event.id, kind, createHash('sha256').update(bytes).digest('hex'), extension)
    if (event[kind] !== key) await attach(ctx, event.id, kind, key, bytes)
    attached.set(picture, file)
    return { eventId: event.id }
  } catch (error) {
    if (error instanceof UnusableImage) return { reason: error.message }
    throw error
  }
}

const noSuchEvent = (name: string, source: string | undefined): string =>
  source === undefined
    ? `No event has the id or guid ${name}.`
    : `No event of the program ${source} has the guid ${name}.`

function ambiguousName(events: readonly Row<'event'>[], name: string): string {
  const candidates = events.map(({ id, title, source, source_key }) =>
    source_key === name ? `the guid of “${title}” in the program ${source}` : `the id ${id} of “${title}”`,
  )
  return `${name} is ${candidates.join(', and ')}. Choose the program with --source NAME.`
}

const isPictureKind = (text: string | undefined): text is PictureKind => text === 'banner' || text === 'photo'

/** Stores the bytes before the row. The previous picture stays in the blob store until `summit sweep`. */
async function attach(ctx: Context, eventId: EventId, kind: PictureKind, key: string, bytes: Buffer): Promise<void> {
  const staged = await ctx.blobs.stage([bytes], maxBytes)
  await staged.store(key)
  await ctx.database.transaction((tx) => updateEvent(commandScope(ctx, tx, 'import images'), eventId, { [kind]: key }))
  await ctx.blobs.confirm(key)
}
