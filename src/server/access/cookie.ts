import type { IncomingMessage } from 'node:http'

/** The value of a cookie, '' for several; undefined for none. */
export function readCookie(
  { headers: { cookie } }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
  // We cannot tell which one is ours.
  return values.length > 1 ? '' : values[0]
}
