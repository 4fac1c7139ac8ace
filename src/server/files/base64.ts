/**
 * Decodes base64, standard or URL-safe alphabet, with or without padding and line breaks (RFC 4648).
 * @returns undefined when it is not base64
 */
export function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/[\r\n\t ]/g, '')
  const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/.test(digits) && digits.replace(/=+$/, '').length % 4 !== 1
  return isBase64 ? Buffer.from(digits, 'base64') : undefined
}

/**
 * Decodes a `data:` URI (RFC 2397).
 * @returns undefined when it is malformed; `fileType` is `text/plain` when it names none
 */
export function decodeDataUri(uri: string): { bytes: Buffer; fileType: string } | undefined {
  const comma = uri.indexOf(',')
  if (comma < 0) return undefined
  const [type = '', ...parameters] = uri.slice('data:'.length, comma).split(';')
  const payload = uri.slice(comma + 1)
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === 'base64'
  try {
    const text = decodeURIComponent(payload)
    const bytes = isBase64 ? decodeBase64(text) : Buffer.from(text, 'utf8')
    return bytes && { bytes, fileType: type.trim().toLowerCase() || 'text/plain' }
  } catch {
    // Bad percent-encoding.
    return undefined
  }
}
