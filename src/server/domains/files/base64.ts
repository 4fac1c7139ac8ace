/**
 * Decodes base64, standard or URL-safe alphabet, with or without padding and line breaks (RFC 4648).
 * Rejects a space within a line: forms turn an unescaped `+` into one.
 * @returns undefined if the text is not base64
 */
export function decodeBase64(text: string): Buffer | undefined {
  const digits = text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .join('')
  const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/.test(digits) && digits.replace(/=+$/, '').length % 4 !== 1
  return isBase64 ? Buffer.from(digits, 'base64') : undefined
}

/**
 * Decodes a `data:` URI (RFC 2397).
 * @returns undefined if malformed; `fileType` defaults to `text/plain`
 */
export function decodeDataUri(uri: string): { bytes: Buffer; fileType: string } | undefined {
  const comma = uri.indexOf(',')
  if (comma < 0) return undefined
  const [type = '', ...parameters] = uri.slice('data:'.length, comma).split(';')
  const payload = uri.slice(comma + 1)
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64'
  const unescaped = decodePercent(payload)
  const bytes = isBase64 && unescaped ? decodeBase64(unescaped.toString('latin1')) : unescaped
  return bytes && { bytes, fileType: type.trim().toLowerCase() || 'text/plain' }
}

/** Decodes percent-encoding (RFC 3986, 2.1) to bytes, not necessarily text; undefined if an escape is incomplete. */
function decodePercent(text: string): Buffer | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined
  const escaped = Buffer.from(text, 'utf8').toString('latin1')
  return Buffer.from(
    escaped.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}
