import { titleOrSuffix } from '../sessions/speakers.ts'

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
  ς: 'σ',
}

/** How German and Scandinavian names are often written without their special letters. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** The name in lower case, for comparison in any case. */
export const caseless = (name: string): string => name.normalize('NFC').toLowerCase()

/**
 * The forms by which a name is found in any case, and with any separators and accents of Latin, Greek and Cyrillic
 * letters: `Jürgen Groß` has `jurgengross` and `juergengross`. Symbols, and the vowel signs of other scripts, are parts
 * of it: `C++` is not `C#`. Empty for a name of separators only.
 */
export function nameKeys(name: string): Set<string> {
  const lower = name.replace(/[´`¨]/g, '').normalize('NFKC').toLowerCase()
  const spelled = lower.replace(/[äöüøå]/g, (letter) => digraphs[letter] ?? letter)
  return new Set([lower, spelled].map(toKey).filter(Boolean))
}

/** Punctuation that a file system may forbid, or that is often left out; not a dot before a word, as in `.NET`. */
const separators =
  /(?:(?![#%&@.])[\p{P}\s\p{Cc}\p{Cf}\p{Variation_Selector}|<>]|(?<=[\p{L}\p{N}])\.|\.(?![\p{L}\p{N}]))+/gu

const toKey = (text: string): string =>
  text
    .replace(/[ßæœøłđðþıς]/g, (letter) => baseLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    // `2.0` is not `20`.
    .replace(separators, (_, at: number, all: string) => (/\p{N}/u.test(all[at - 1] ?? '') ? '-' : ''))
    .replace(/-(?!\p{N})/gu, '')

const titles = [
  // With a dot, or as a word of its own.
  String.raw`(?:prof|dr|dra|dott|mr|mrs|ms|mx|sr|sra|herr|frau|проф)(?:\.(?:(?:in|ssa)\b)?|(?=\s))`,
  String.raw`(?:professor|professorin|doctor|doktor|miss|sir|dame|mme|mlle|д-р)(?=\s)`,
  String.raw`(?:dipl|ing|mag|hon|rev|univ)\.`,
]

/** Abbreviations that follow `Dr.` or the like. */
const faculties = String.raw`(?:rer|nat|med|phil|jur|habil|em|ing)\.|h\.\s?c\.`

const leadingTitles = new RegExp(`^(?:(?:${titles.join('|')})(?:[\\s-]*(?:${faculties}))*[\\s-]*)+`, 'iu')

/** The name without `Dr.` and the like before it, and without `, PhD` and the like after it. */
function withoutTitles(name: string): string {
  const parts = name.split(',')
  while (parts.length > 1 && titleOrSuffix.test(parts.at(-1)?.trim() ?? '')) parts.pop()
  return parts.join(',').trim().replace(leadingTitles, '') || name
}

/** A person's name with and without titles, each with every part of it as the last name before the rest. */
export function personSpellings(name: string): string[] {
  // In a file name, separators may replace the spaces.
  const spaced = /\s/.test(name) ? name : name.replace(/[-_]+/g, ' ')
  return [...new Set([name, spaced, withoutTitles(spaced)])].flatMap((spelling) => {
    const words = spelling.split(/[\s,]+/).filter(Boolean)
    return words.map((_, start) => [...words.slice(start), ...words.slice(0, start)].join(' '))
  })
}
