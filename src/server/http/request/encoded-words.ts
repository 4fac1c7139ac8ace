const word = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([ ->@-~]*)\?=/gi
const adjacentWords = /(?:=\?[^?*\s]+(?:\*[^?\s]*)?\?[bq]\?[ ->@-~]*\?=)+/gi

/**
 * Decodes the encoded words of RFC 2047, as in `=?utf-8?Q?Gr=C3=BC=C3=9Fe?=.txt`. RFC 7578 has none in forms, but
 * clients on .NET and Java send them. Words that cannot be decoded remain as they are.
 */
export const decodeEncodedWords = (text: string): string =>
  // White space between two words only separates them.
  text.replace(/\?=\s+(?==\?)/g, '?=').replace(adjacentWords, (words) => decodeWords(words) ?? words)

/** A letter may be split over words of one charset, so their bytes are joined before they are decoded. */
function decodeWords(words: string): string | undefined {
  const pieces: { charset: string; bytes: Buffer[] }[] = []
  for (const [, charset = '', encoding = '', encoded = ''] of words.matchAll(word)) {
    const bytes = encoding.toLowerCase() === 'b' ? decodeBase64(encoded) : decodeQ(encoded)
    if (!bytes) return undefined
    const last = pieces.at(-1)
    if (last?.charset === charset.toLowerCase()) last.bytes.push(bytes)
    else pieces.push({ charset: charset.toLowerCase(), bytes: [bytes] })
  }
  try {
    return pieces
      .map(({ charset, bytes }) => new TextDecoder(charset, { fatal: true }).decode(Buffer.concat(bytes)))
      .join('')
  } catch {
    return undefined
  }
}

const decodeBase64 = (text: string): Buffer | undefined =>
  /^[a-z0-9+/]*={0,2}$/i.test(text) ? Buffer.from(text, 'base64') : undefined

function decodeQ(text: string): Buffer {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
