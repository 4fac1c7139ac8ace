/** Letters that Unicode does not decompose into a base letter and an accent. */
const baseLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** How German and Scandinavian names are often written without their special letters. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/**
 * The forms by which a name is found in any case, and with any accents and separators: `Jürgen Groß` has `jurgengross`
 * and `juergengross`. Empty for a name without letters and digits.
 */
export function nameKeys(name: string): Set<string> {
  const lower = name.normalize('NFC').toLowerCase()
  const spelled = lower.replace(/[äöüøå]/g, (letter) => digraphs[letter] ?? letter)
  return new Set([lower, spelled].map(toKey).filter(Boolean))
}

const toKey = (text: string): string =>
  text
    .replace(/[ßæœøłđðþı]/g, (letter) => baseLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** {@link nameKeys} of a person's name, also with the last name first. */
export function personKeys(name: string): Set<string> {
  const words = name.split(/\s+/).filter(Boolean)
  return new Set(
    words.flatMap((_, start) => [...nameKeys([...words.slice(start), ...words.slice(0, start)].join(' '))]),
  )
}
