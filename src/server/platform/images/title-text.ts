// More than three lines of the narrowest letters hold.
const maxCharacters = 240

/**
 * Reduces a title to one line of at most 240 characters, without emoji and invisible characters. `''` if the font lacks
 * any other character (`has`), since the rest of the title might say something else; also if no letter or digit is left,
 * since punctuation alone would look like a mistake.
 */
export function drawableText(title: string, has: (character: string) => boolean): string {
  // Four times the maximum is enough even if most characters are left out, and bounds the work for a title of any
  // length.
  const characters = Array.from(title.slice(0, maxCharacters * 4).normalize('NFC'), (character) =>
    toDrawable(character, has),
  )
  if (characters.includes(undefined)) return ''
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

/** @returns undefined if the character cannot be drawn and must not be left out */
function toDrawable(character: string, has: (character: string) => boolean): string | undefined {
  if (/\s|\p{Cc}/u.test(character)) return ' '
  // Format characters, such as bidirectional overrides, have no glyph and must not split a word; nor have halves of
  // surrogate pairs.
  if (/\p{Cf}|\p{Cs}/u.test(character)) return ''
  if (has(character)) return character
  // Full-width letters, ligatures and mathematical alphabets have plain equivalents.
  const plain = Array.from(character.normalize('NFKC'))
  if (plain.every(has)) return plain.join('')
  // A variation selector or keycap belongs to the character before it.
  if (/\p{Variation_Selector}|\u20e3/u.test(character)) return ''
  return /[\p{Extended_Pictographic}\p{Emoji_Component}]/u.test(character) ? ' ' : undefined
}
