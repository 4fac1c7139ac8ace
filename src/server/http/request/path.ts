/**
 * The path of a request as it is routed: decoded, without its query or fragment, and with repeated slashes merged, which a
 * base URL that ends in a slash causes. The URL may be absolute (RFC 9112, 3.2.2).
 */
export function routedPath(url: string): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)
  return decodePath(path).replace(/\/{2,}/g, '/')
}

/** Returns a path that cannot be decoded unchanged. */
function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
