/** The letters beyond ASCII of languages that are written in Windows-1252: a word has those of one language. */
const westernAlphabets = [
  ...['äöüß', 'àâæçéèêëîïôœùûü', 'áéíñóúü', 'áâãàçéêíóôõúü', 'àèéìíîòóùú', 'æøåéäö', 'åäöéü', 'àçéèíïóòúü'],
  ...['áèéêëïóöü', 'áéíóú'],
]

const centralAlphabets = ['áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'ąćęłńóśźż', 'áéíóöőúüű', 'čćđšž', 'ăâîşţșț']

/** The same by the encodings for such languages. */
const alphabetsOf: Record<string, readonly string[]> = {
  'windows-1252': westernAlphabets,
  'windows-1250': centralAlphabets,
  'windows-1254': ['âçğıİîöşûü'],
  'windows-1257': ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöšüž'],
  macintosh: westernAlphabets,
  'iso-8859-2': centralAlphabets,
}

/** Encodings that share most bytes with Windows-1252. */
const rivals = ['windows-1250', 'windows-1254', 'windows-1257']

/** Shown as readings of a file whose encoding is uncertain, the most frequent first. */
const candidates = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'gb18030', 'shift_jis', 'big5', 'euc-kr', 'macintosh', 'euc-jp'],
  ...[
    'windows-1253',
    'windows-1254',
    'windows-1255',
    'windows-1256',
    'windows-1257',
    'windows-874',
    'iso-8859-2',
    'koi8-u',
  ],
]
const maxReadings = 8

/** Not the signs of ordinals and millionths, `2ª`, `5 µm`. */
const letter = /(?![\0-\x7fªºµ])\p{L}/u
const lettersOf = (text: string) => [...new Set(text.toLowerCase())].filter((character) => letter.test(character))
const isOneLanguage = (alphabets: readonly string[], found: readonly string[]) =>
  alphabets.some((alphabet) => found.every((each) => alphabet.includes(each)))

/** Text that no language has: controls, signs within words, capitals after small letters, and words in two scripts. */
const unlikely = [
  /[\u0080-\u009f\u{FFFD}\p{Co}\p{Cn}]/u,
  /\p{L}(?![\0-\x7f’‘´·–—…\p{L}\p{M}\p{Cf}])\S\p{Ll}/u,
  /\p{Ll}(?![\0-\x7f])\p{Lu}/u,
  /\p{Script=Latin}(?![\p{Script=Latin}µ])\p{L}|(?![\p{Script=Latin}µ])\p{L}\p{Script=Latin}/u,
]

/** Not in Western text, either: other signs, signs where they are not used, and runs of accented letters. */
const unlikelyWestern = [
  ...unlikely,
  /[^\0-\x7f\p{L}\u00a0\u00ad“”„‘’‚–—…•€£©®™°±«»‹›¿¡§²½×´]/u,
  /\p{L}[¿¡£]|[£±](?!\s?\d)|(?<![\dNn.])[ªº]|µ(?![AFVglms](?!\p{L}))|œ(?![ui])/u,
  /(?:(?![\0-\x7f])\p{L}){3}|(?<!\p{L})(?:(?![\0-\x7f])\p{L}){2}(?!\p{L})/u,
]

/** Such a dash may be a letter in a file from a Mac: `sesi—n` is `sesión`. */
const dashInWord = /\p{L}[–—…]\p{Ll}/u
/** Other signs of Windows, as a Mac reads them: `“more”` is `ìmoreî`, a dash between spaces `ñ`. */
const unlikelyOnMac = /(?<!\p{L})(?:ì\p{L}|ñ(?!\p{L}))|î(?!\p{L})/u

/**
 * Whether a text, decoded from the bytes as Windows-1252, is likely to be in a Western language. Text of another encoding
 * is not: it has letters that no language combines, or is explained better by the alphabet of a single other language.
 */
export function isWesternText(text: string, bytes: Uint8Array): boolean {
  return (
    !unlikelyWestern.some((pattern) => pattern.test(text)) &&
    areWordsOf(westernAlphabets, text) &&
    (!dashInWord.test(text) || !isFromMac(bytes)) &&
    (isOneLanguage(westernAlphabets, lettersOf(text)) ||
      rivals.every((encoding) => {
        const other = new TextDecoder(encoding).decode(bytes)
        return other === text || !isOneLanguage(alphabetsOf[encoding] ?? [], lettersOf(other))
      }))
  )
}

function isFromMac(bytes: Uint8Array): boolean {
  const text = new TextDecoder('macintosh').decode(bytes)
  return ![...unlikely, unlikelyOnMac].some((pattern) => pattern.test(text)) && areWordsOf(westernAlphabets, text)
}

const areWordsOf = (alphabets: readonly string[], text: string): boolean =>
  [...new Set(text.match(/\p{L}+/gu))].every((word) => isOneLanguage(alphabets, lettersOf(word)))

interface Reading {
  encoding: string
  text: string
}

/** The encodings in which the bytes are valid and likely text, the likelier first; of those with the same text, one. */
export function likelyReadings(bytes: Uint8Array): Reading[] {
  const likelier: Reading[] = []
  const others: Reading[] = []
  for (const encoding of candidates) {
    const text = new TextDecoder(encoding).decode(bytes)
    if (unlikely.some((pattern) => pattern.test(text))) continue
    const alphabets = alphabetsOf[encoding]
    const list = alphabets === undefined || areWordsOf(alphabets, text) ? likelier : others
    list.push({ encoding, text })
  }
  const readings = [...likelier, ...others]
  return readings
    .filter(({ text }, at) => readings.findIndex((each) => each.text === text) === at)
    .slice(0, maxReadings)
}
