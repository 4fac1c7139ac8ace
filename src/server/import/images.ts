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

/** What became of one file of the folder. */
export interface ImageResult {
  file: string
  /** The event that it was attached to; absent when it was not. */
  eventId?: EventId
  /** Why it was not attached. */
  reason?: string
}

const fits: Record<PictureKind, Fit> = {
  banner: { width: 1600, height: 900, crop: false },
  photo: { width: 512, height: 512, crop: true },
}

/** A photo of a recent camera is well below; what is larger is not meant to be one. */
const maxBytes = 100 * 1024 * 1024

/**
 * Attaches the pictures of a folder, named `<event id or guid>.banner.jpg` and `….photo.png`, resized. Each is a
 * change of its own: those that are good are attached whatever becomes of the others. Of several for one banner or photo
 * the first good one by name counts.
 * @param source the program by whose guids the files are named; undefined when ids and guids of any program will do
 * @param onProgress called after each file with how many of how many are done
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
      : { reason: whatElse(entry) }
    results.push({ file: entry.name, ...result })
    onProgress(results.length, entries.length)
  }
  return results
}

function whatElse(entry: Dirent): string {
  if (entry.isDirectory()) return 'is a folder; only the files in this one are taken'
  return entry.isSymbolicLink() ? 'is a link to a file; only files themselves are taken' : 'is not a file'
}

/** @param attached the files that were, by event and kind; this one is added */
async function importImage(
  ctx: Context,
  folder: string,
  file: string,
  source: string | undefined,
  attached: Map<string, string>,
): Promise<Omit<ImageResult, 'file'>> {
  const [, name, word] = /^(.+)\.(banner|photo)\.[a-z0-9]+$/i.exec(file) ?? []
  const kind = word?.toLowerCase()
  if (!name || !isPictureKind(kind)) return { reason: 'is not named <event id or guid>.banner.jpg or ….photo.jpg' }
  const [event, ...others] = await findEvents(ctx.database.read, name, source)
  if (!event) return { reason: namesNone(name, source) }
  if (others.length > 0) return { reason: namesSeveral([event, ...others], name) }
  const picture = `${event.id} ${kind}`
  const first = attached.get(picture)
  if (first !== undefined) return { reason: `is a second ${kind} of the same event; ${first} was attached` }
  const path = join(folder, file)
  // By its size first: the whole file is held in memory.
  if ((await stat(path)).size > maxBytes) return { reason: 'is larger than 100 MiB' }
  try {
    const { bytes, extension } = await resizeFile(path, fits[kind])
    const key = pictureKey(event.id, kind, createHash('sha256').update(bytes).digest('hex'), extension)
    if (event[kind] !== key) await attach(ctx, event.id, kind, key, bytes)
    attached.set(picture, file)
    return { eventId: event.id }
  } catch (error) {
    if (error instanceof UnusableImage) return { reason: error.message }
    throw error
  }
}

const namesNone = (name: string, source: string | undefined): string =>
  source === undefined
    ? `names no event: there is none with the id or guid ${name}`
    : `names no event: there is none with the guid ${name} in the program ${source}`

function namesSeveral(events: readonly Row<'event'>[], name: string): string {
  const meanings = events.map(({ id, title, source, source_key }) =>
    source_key === name ? `the guid of “${title}” in the program ${source}` : `the id ${id} of “${title}”`,
  )
  return `may name several events: ${name} is ${meanings.join(', and ')}. Say which program it is from: --source NAME`
}

const isPictureKind = (text: string | undefined): text is PictureKind => text === 'banner' || text === 'photo'

/** The bytes first, then the row; the picture that was there before stays until a clean-up. */
async function attach(ctx: Context, eventId: EventId, kind: PictureKind, key: string, bytes: Buffer): Promise<void> {
  const staged = await ctx.blobs.stage([bytes], maxBytes)
  await staged.store(key)
  await ctx.database.transaction((tx) => updateEvent(commandScope(ctx, tx, 'import images'), eventId, { [kind]: key }))
  await ctx.blobs.confirm(key)
}
