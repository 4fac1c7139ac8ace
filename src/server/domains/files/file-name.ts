import { extensionOf } from '../../storage/blobs/media-type.ts'

const maxCharacters = 200

/** Characters of an encoded name: a client may send back its link, and a link may have at most 2,048. */
const maxEncodedCharacters = 1_800

/**
 * The name under which an uploaded file is served: the client's name without folders, control characters and
 * direction-changing characters; if nothing is left, a name derived from its type.
 */
export function safeFileName(clientName: string, fileType: string): string {
  const lastSegment = clientName.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const safe = lastSegment.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>|:*?]/gu, '').trim()
  const name = /^\.*$/.test(safe) ? `file.${extensionOf(fileType) ?? 'bin'}` : safe
  const characters = [...name].slice(-maxCharacters)
  while (encodeURIComponent(characters.join('')).length > maxEncodedCharacters) characters.shift()
  return characters.join('')
}
