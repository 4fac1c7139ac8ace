// More than three lines of the narrowest letters hold.
const maxCharacters = 240

/**
 * Reduces a title to at most 240 characters that the font has (`has`), on one line. Missing characters become a space;
 * `''` if no letter or digit is left, since punctuation alone would look like a mistake.
 */
export function drawableText(title: string, has: (character: string) => boolean): string {
  // Four times the maximum is enough even if most characters are dropped, and bounds the work for a title of any
  // length.
  const characters = Array.from(title.slice(0, maxCharacters * 4).normalize('NFC'), (character) =>
    toDrawable(character, has),
  )
  const text = characters
    .join('')
    .replace(/\s+/g, ' ')
    // At most two accents on a letter: more would overlap the line above.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/(^|\s)\p{M}+/gu, '$1')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(text)) return ''
  return Array.from(text).slice(0, maxCharacters).join('').trim()
}

/** The first letter or digit of each of the first two words, in upper case; `''` if there is none. */
export function initialsOf(text: string): string {
  const words = text.split(' ').flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  // "ß" becomes "SS" in upper case; use one.
  return words
    .slice(0, 2)
    .flatMap((first) => Array.from(first.toUpperCase())[0] ?? [])
    .join('')
}

function toDrawable(character: string, has: (character: string) => boolean): string {
  if (/\s/u.test(character)) return ' '
  // Control and format characters, such as bidirectional overrides, have no glyph; format characters must not split a
  // word.
  if (/\p{C}/u.test(character)) return /\p{Cc}/u.test(character) ? ' ' : ''
  if (has(character)) return character
  // Full-width letters, ligatures and mathematical alphabets have plain equivalents.
  const plain = Array.from(character.normalize('NFKC')).filter((part) => !/\p{C}/u.test(part) && has(part))
  if (plain.length > 0) return plain.join('')
  return /\p{M}/u.test(character) ? '' : ' '
}
