import { extensionOf } from '../images/media-type.ts'

const maxCharacters = 200

/** Characters of a name as its link has it: a client may send back our link, which is one of 2,048 at the most. */
const maxEncoded = 1_800

/**
 * The name under which an uploaded file is served: what the client called it without folders, control and
 * direction-changing characters; made up from its type where nothing is left.
 */
export function safeFileName(given: string, fileType: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>|:*?]/gu, '').trim()
  const made = /^\.*$/.test(name) ? `file.${extensionOf(fileType) ?? 'bin'}` : name
  const characters = [...made].slice(-maxCharacters)
  while (encodeURIComponent(characters.join('')).length > maxEncoded) characters.shift()
  return characters.join('')
}
