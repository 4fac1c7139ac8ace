import sharp from 'sharp'
import type { startWithEditor } from './editing.fixtures.ts'

export type World = Awaited<ReturnType<typeof startWithEditor>>

/** Loads an image as an attendee does. The URLs of responses begin with the public one. */
export const loadFrom = async (t: World, url: string | null | undefined) => {
  const response = await fetch((url ?? '').replace(/^https:\/\/[^/]+/, t.url), { headers: t.ana.headers })
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The size and main colour of an image. */
export async function describe(bytes: Buffer) {
  const { width, height, exif } = await sharp(bytes).metadata()
  const { dominant } = await sharp(bytes).stats()
  return { width, height, exif, isRed: dominant.r > dominant.g }
}
