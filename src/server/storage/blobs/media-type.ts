import { extname } from 'node:path/posix'
import mimeTypes from 'mime-types'
import { carriedTypes } from './container-types.ts'

/** The number of bytes at the start of a file that suffice to detect its type. */
export const headBytes = 4_100

const unknownType = 'application/octet-stream'

// RFC 6838 section 4.2: both names start with a letter or digit and have at most 127 characters.
const typeName = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/**
 * Detects the media type of a file from its first bytes (`headBytes` suffice), in lower case and without parameters. A
 * signature in the bytes overrides the declared type, unless it is that of a container which may carry that type: a
 * Word document is an OLE or ZIP file. Without a signature, a declared `text/*` or `application/json` is accepted, and
 * anything else is `application/octet-stream`. The result does not imply that the bytes are safe: HTML is `text/html`,
 * and serving it safely is up to the caller.
 */
export async function detectMediaType(head: Uint8Array, declared: string | undefined): Promise<string> {
  // Imported on first use, to keep start-up fast.
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(head.subarray(0, headBytes))
  // Every PNG decoder reads animated PNGs, and allowlists of types name only image/png.
  if (detected?.mime === 'image/apng') return 'image/png'
  const name = normalizeMediaType(declared)
  if (detected) {
    const type = normalizeMediaType(detected.mime) ?? unknownType
    return name !== undefined && carriedTypes.get(type)?.has(name) ? name : type
  }
  return name?.startsWith('text/') || name === 'application/json' ? name : unknownType
}

/** The media types that browsers run as scripts: https://mimesniff.spec.whatwg.org/#javascript-mime-type */
const scriptType =
  /^(?:application|text)\/(?:x-)?(?:java|ecma)script$|^text\/(?:javascript1\.[0-5]|jscript|livescript)$/

/**
 * The media type with which to serve a stored file. Scripts are served as plain text, which browsers do not run under
 * `nosniff`, on any page.
 */
export const servedMediaType = (type: string): string => (scriptType.test(type) ? 'text/plain' : type)

const safeImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])

/** Whether a browser may display the type inline: image formats that cannot contain scripts (so not SVG). */
export function isSafeImage(type: string): boolean {
  return safeImages.has(type)
}

/** The media type for the extension of a file name, or of the path of an http(s) URL (from mime-db). */
export function mediaTypeOfName(fileName: string): string | undefined {
  // Use only the path of a URL: the host of "https://example.com" is not an extension, nor is anything in a query.
  const path = /^https?:\/\//i.test(fileName) ? URL.parse(fileName)?.pathname : fileName
  const extension = extname(path ?? '')
  return extension.length > 1 ? mimeTypes.lookup(extension) || undefined : undefined
}

/** The usual extension of a media type, without a dot: `jpg` for `image/jpeg`. */
export function extensionOf(type: string): string | undefined {
  return mimeTypes.extension(type) || undefined
}

/** Normalizes `TEXT/Plain; charset=utf-8` to `text/plain`; undefined if the text is not a media type. */
export function normalizeMediaType(type: string | undefined): string | undefined {
  const name = type?.split(';', 1)[0]?.trim().toLowerCase()
  return name !== undefined && typeName.test(name) ? name : undefined
}
