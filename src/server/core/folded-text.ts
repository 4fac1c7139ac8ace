/** Letters in whose scripts marks are accents. Elsewhere they are vowels or other letters, as in Devanagari, Thai and kana. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu

/** What has no place of its own on paper, such as soft hyphens. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Letters and signs that people type in place of others, and Unicode does not take for the same. */
const alike: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', þ: 'th', æ: 'ae', œ: 'oe', ς: 'σ' },
  ...{ '‘': "'", '’': "'", ʼ: "'", '“': '"', '”': '"', '‐': '-', '–': '-', '—': '-' },
}

/** The text by which a search compares: texts that differ only in case, accents, width or quotation marks have the same. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(invisible, '')
    .replace(accents, '')
    // First to upper case: ß becomes SS, and every form of a letter the same.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðħþæœς‘’ʼ“”‐–—]/gu, (sign) => alike[sign] ?? sign)
    // か is no part of が.
    .normalize('NFC')

/** A record to search, with its texts folded, by their places. */
interface Folded<P extends string> {
  readonly folded: Readonly<Record<P, string>>
}

/**
 * The records in which every word is found, the best first; equally good ones stay in their order.
 * @param scores how much a word counts in each place, the best place first; it counts once
 */
export function findByWords<P extends string, R extends Folded<P>>(
  all: readonly R[],
  q: string,
  scores: Readonly<Record<P, number>>,
): R[] {
  const words = [...new Set(fold(q).split(/\s+/))].filter((word) => word !== '')
  if (words.length === 0) return []
  const places = Object.keys(scores) as P[]
  const found = all.flatMap((record) => {
    let score = 0
    for (const word of words) {
      const place = places.find((name) => record.folded[name].includes(word))
      if (place === undefined) return []
      score += scores[place]
    }
    return [{ record, score }]
  })
  return found.sort((one, other) => other.score - one.score).map(({ record }) => record)
}
