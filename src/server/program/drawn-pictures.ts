import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limitConcurrency } from '../core/limit-concurrency.ts'
import type { PictureDrawer } from '../images/picture-drawer.ts'
import type { PlaceholderSubject } from '../images/placeholder-version.ts'

/** Each takes a core for tens of milliseconds; with more at once, other requests would wait for them. */
const drawnAtOnce = 2

const sealBytes = 32

/**
 * Placeholders, drawn when they are first asked for and kept as files below `dir`: one banner and one photo for each
 * event, which what is drawn for its next title overwrites. They can always be drawn again, so nothing is synced,
 * and a folder that cannot be written to does no harm.
 */
export function drawnPictures(
  dir: string,
  drawer: PictureDrawer,
): (subject: PlaceholderSubject, version: string) => Promise<Buffer> {
  const underWay = new Map<string, Promise<Buffer>>()
  const inTurn = limitConcurrency(drawnAtOnce)

  const draw = async (subject: PlaceholderSubject, version: string) => {
    const path = join(dir, `${subject.id}-${subject.kind}`)
    const kept = await readSealed(path, version)
    if (kept) return kept
    return inTurn(async () => {
      const bytes = await drawer.draw(subject)
      await mkdir(dir, { recursive: true, mode: 0o700 })
        .then(() => writeFile(path, Buffer.concat([sealOf(version, bytes), bytes]), { mode: 0o600 }))
        .catch(drawAgainNextTime)
      return bytes
    })
  }

  return (subject, version) => {
    const known = underWay.get(version)
    if (known) return known
    const drawing = draw(subject, version).finally(() => underWay.delete(version))
    underWay.set(version, drawing)
    return drawing
  }
}

/** Tells a file that is whole and of this version from one that is older, half written or damaged. */
const sealOf = (version: string, bytes: Buffer): Buffer => createHash('sha256').update(version).update(bytes).digest()

async function readSealed(path: string, version: string): Promise<Buffer | undefined> {
  const file = await readFile(path).catch(drawAgainNextTime)
  if (!file) return undefined
  const bytes = file.subarray(sealBytes)
  return sealOf(version, bytes).equals(file.subarray(0, sealBytes)) ? bytes : undefined
}

function drawAgainNextTime(): undefined {}
