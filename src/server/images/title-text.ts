// More than three lines of the narrowest letters; what comes after could not be seen anyway.
const longest = 240

/**
 * A title as it can be drawn: one line of characters that the font has (`has`), at most 240 of them. Whatever it lacks
 * leaves a gap between words; `''` if no letter or digit is left, since punctuation alone would look like an accident.
 */
export function drawableText(title: string, has: (character: string) => boolean): string {
  // Four times as much as is drawn: enough where most characters are dropped, and cheap for a title of any length.
  const characters = Array.from(title.slice(0, longest * 4).normalize('NFC'), (character) => drawable(character, has))
  const text = characters
    .join('')
    .replace(/\s+/g, ' ')
    // A stack of accents would climb out of its line.
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/(^|\s)\p{M}+/gu, '$1')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(text)) return ''
  return Array.from(text).slice(0, longest).join('').trim()
}

/** The first letters or digits of the first two words, in capitals; `''` if there is none. */
export function initialsOf(text: string): string {
  const words = text.split(' ').flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  // "ß" has two capital letters; one is enough.
  return words
    .slice(0, 2)
    .flatMap((first) => Array.from(first.toUpperCase())[0] ?? [])
    .join('')
}

function drawable(character: string, has: (character: string) => boolean): string {
  if (/\s/u.test(character)) return ' '
  // Controls and formats, bidirectional overrides among them, have no shape of their own; nor may they part a word.
  if (/\p{C}/u.test(character)) return /\p{Cc}/u.test(character) ? ' ' : ''
  if (has(character)) return character
  // Full-width letters, ligatures and the mathematical alphabets have plain equivalents.
  const plain = Array.from(character.normalize('NFKC')).filter((part) => !/\p{C}/u.test(part) && has(part))
  if (plain.length > 0) return plain.join('')
  return /\p{M}/u.test(character) ? '' : ' '
}
