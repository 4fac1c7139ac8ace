import { extensionOf } from '../images/media-type.ts'

const maxCharacters = 200

/**
 * The name under which an uploaded file is served: what the client called it without folders, control and
 * direction-changing characters; made up from its type where nothing is left.
 */
export function safeFileName(given: string, fileType: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>|:*?]/gu, '').trim()
  const made = /^\.*$/.test(name) ? `file.${extensionOf(fileType) ?? 'bin'}` : name
  return [...made].slice(-maxCharacters).join('')
}
