/**
 * The path of a request as it is routed: without its query, decoded, and with doubled slashes as one, which a base URL
 * that ends in a slash makes. The address may be a whole URL (RFC 9112, 3.2.2).
 */
export function pathOfAddress(address: string): string {
  const [path = ''] = address.replace(/^https?:\/\/[^/]*/i, '').split('?', 1)
  return decoded(path).replace(/\/{2,}/g, '/')
}

/** What cannot be decoded stays as it is, for whoever says so. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
