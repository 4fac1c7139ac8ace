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
