import type { IncomingHttpHeaders } from 'node:http'

/**
 * The value of a cookie, '' if it was sent more than once: which of several is ours is not known. Undefined for none.
 */
export function readCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    // More than browsers remove, such as U+00A0, would accept names without the guarantees of `__Host-`.
    const [key = '', ...value] = pair.replace(/^[ \t]+/, '').split('=')
    return key === name ? [value.join('=')] : []
  })
  return values.length > 1 ? '' : values[0]
}
