import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { Failure } from '../../core/failure.ts'
import { DrawingInterrupted, type PictureDrawer } from '../../platform/images/picture-drawer.ts'
import type { PlaceholderSubject } from '../../platform/images/placeholder-version.ts'

/** Drawing occupies a core for tens of milliseconds; with a higher limit, other requests would have to wait. */
const maxConcurrent = 2

const checksumBytes = 32

/**
 * Draws placeholders on demand and caches them as files in `dir`: one banner and one photo per event and one photo per
 * speaker, overwritten when a title or name changes. They can always be redrawn, so nothing is synced and errors of the
 * folder are ignored.
 * @returns throws Failure UNAVAILABLE if the process that draws fails twice
 */
export function createPlaceholderCache(
  dir: string,
  drawer: PictureDrawer,
): (file: string, subject: PlaceholderSubject, version: string) => Promise<Buffer> {
  const inFlight = new Map<string, Promise<Buffer>>()
  const limit = pLimit(maxConcurrent)

  const readOrDraw = async (file: string, subject: PlaceholderSubject, version: string) => {
    const path = join(dir, file)
    const cached = await readVerified(path, version)
    if (cached) return cached
    return limit(async () => {
      const bytes = await drawer.draw(subject).catch(throwUnavailable)
      await mkdir(dir, { recursive: true, mode: 0o700 })
        .then(() => writeFile(path, Buffer.concat([checksumOf(version, bytes), bytes]), { mode: 0o600 }))
        .catch(ignore)
      return bytes
    })
  }

  return (file, subject, version) => {
    const pending = inFlight.get(version)
    if (pending) return pending
    const picture = readOrDraw(file, subject, version).finally(() => inFlight.delete(version))
    inFlight.set(version, picture)
    return picture
  }
}

/** Deletes placeholders, which have titles and names in them. @param files as they were drawn for */
export async function removePlaceholders(dir: string, files: readonly string[]): Promise<void> {
  for (const file of files) await rm(join(dir, file), { force: true })
}

/** The process that draws failed, but may not the next time. */
function throwUnavailable(error: unknown): never {
  throw error instanceof DrawingInterrupted ? new Failure('UNAVAILABLE', { cause: error }) : error
}

/** Distinguishes a complete file of this version from an outdated, partial or damaged one. */
const checksumOf = (version: string, bytes: Buffer): Buffer =>
  createHash('sha256').update(version).update(bytes).digest()

async function readVerified(path: string, version: string): Promise<Buffer | undefined> {
  const file = await readFile(path).catch(ignore)
  if (!file) return undefined
  const bytes = file.subarray(checksumBytes)
  return checksumOf(version, bytes).equals(file.subarray(0, checksumBytes)) ? bytes : undefined
}

/** The picture is drawn again next time. */
function ignore(): undefined {}
