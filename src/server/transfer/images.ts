import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scopeOfCommand } from '../command-scope.ts'
import type { Context } from '../context.ts'
import type { EventId } from '../ids.ts'
import { type Fit, resizeImage, UnusableImage } from '../images/resize.ts'
import { eventNamed, updateEvent } from '../program/events.ts'
import { type PictureKind, pictureKey } from '../program/pictures.ts'

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
 * change of its own: those that are good are attached whatever becomes of the others.
 * @param onProgress called after each file with how many of how many are done
 */
export async function importImages(
  ctx: Context,
  folder: string,
  onProgress: (done: number, all: number) => void,
): Promise<ImageResult[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map((entry) => entry.name)
  const results: ImageResult[] = []
  for (const file of files.sort()) {
    results.push({ file, ...(await importImage(ctx, folder, file)) })
    onProgress(results.length, files.length)
  }
  return results
}

async function importImage(ctx: Context, folder: string, file: string): Promise<Omit<ImageResult, 'file'>> {
  const [, name, kind] = /^(.+)\.(banner|photo)\.[A-Za-z0-9]+$/.exec(file) ?? []
  if (!name || !isPictureKind(kind)) return { reason: 'is not named <event id or guid>.banner.jpg or ….photo.jpg' }
  const event = await eventNamed(ctx.database.read, name)
  if (!event) return { reason: `names no event: there is none with the id or guid ${name}` }
  try {
    const { bytes, extension } = await resizeImage(await readFile(join(folder, file)), fits[kind])
    const key = pictureKey(event.id, kind, createHash('sha256').update(bytes).digest('hex'), extension)
    if (event[kind] !== key) await attach(ctx, event.id, kind, key, bytes)
    return { eventId: event.id }
  } catch (error) {
    if (error instanceof UnusableImage) return { reason: error.message }
    throw error
  }
}

const isPictureKind = (text: string | undefined): text is PictureKind => text === 'banner' || text === 'photo'

/** The bytes first, then the row; the picture that was there before stays until a clean-up. */
async function attach(ctx: Context, eventId: EventId, kind: PictureKind, key: string, bytes: Buffer): Promise<void> {
  const staged = await ctx.blobs.stage([bytes], maxBytes)
  await staged.store(key)
  await ctx.database.transaction((tx) =>
    updateEvent(scopeOfCommand(ctx, tx, 'import images'), eventId, { [kind]: key }),
  )
  await ctx.blobs.confirm(key)
}
