import { extname } from 'node:path/posix'
import mimeTypes from 'mime-types'

/** How many bytes from the start of a file are enough to decide its type. */
export const headBytes = 4_100

const unknownType = 'application/octet-stream'

// RFC 6838 section 4.2: both names start with a letter or digit and have at most 127 characters.
const typeName = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/**
 * The media type of stored bytes, lower case and without parameters. `head` is the start of the file (`headBytes`
 * suffice). A signature in the bytes decides, whatever was declared; without one a declared `text/*` or
 * `application/json` stands, anything else is `application/octet-stream`. The answer says what the bytes are, not that
 * they are safe: HTML stays `text/html`, and whoever serves it sees to it that it does nothing.
 */
export async function decideMediaType(head: Uint8Array, declared: string | undefined): Promise<string> {
  // Loaded with the first file rather than at every start.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head.subarray(0, headBytes))
  // An animated PNG is a PNG to every reader of PNGs, and to the lists of types that people write.
  if (found?.mime === 'image/apng') return 'image/png'
  if (found) return nameOfMediaType(found.mime) ?? unknownType
  const name = nameOfMediaType(declared)
  return name?.startsWith('text/') || name === 'application/json' ? name : unknownType
}

/** The types with which a browser runs a script: https://mimesniff.spec.whatwg.org/#javascript-mime-type */
const scriptType =
  /^(?:application|text)\/(?:x-)?(?:java|ecma)script$|^text\/(?:javascript1\.[0-5]|jscript|livescript)$/

/**
 * The type with which bytes of a type are served. A script is plain text, which a browser that is told `nosniff` does not
 * run, in whatever page.
 */
export const servedMediaType = (type: string): string => (scriptType.test(type) ? 'text/plain' : type)

const safeImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** Whether a browser may show the type in place: the picture formats that can hold no script (so not SVG). */
export function isSafeImage(type: string): boolean {
  return safeImages.has(type)
}

/** The media type that a file name, or the path of an http(s) URL, suggests by its extension (table: mime-db). */
export function mediaTypeOfName(fileName: string): string | undefined {
  // Only the path of a URL counts: the host in "https://example.com" has no extension, nor has a query.
  const path = /^https?:\/\//i.test(fileName) ? URL.parse(fileName)?.pathname : fileName
  const extension = extname(path ?? '')
  return extension.length > 1 ? mimeTypes.lookup(extension) || undefined : undefined
}

/** The usual extension of a media type, without a dot: `jpg` for `image/jpeg`. */
export function extensionOf(type: string): string | undefined {
  return mimeTypes.extension(type) || undefined
}

/** `text/plain` of `TEXT/Plain; charset=utf-8`; undefined of what is no media type. */
export function nameOfMediaType(type: string | undefined): string | undefined {
  const name = type?.split(';', 1)[0]?.trim().toLowerCase()
  return name !== undefined && typeName.test(name) ? name : undefined
}
