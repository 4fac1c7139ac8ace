/** A page as a browser without a script requests it. */
export async function openPage(
  { url }: { url: string },
  path: string,
  { headers = {} }: { headers?: Record<string, string> } = {},
) {
  const response = await fetch(url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
  const page = await response.text()
  return { status: response.status, headers: response.headers, page, text: textOf(page) }
}

/** What readers see of markup, in one line. */
export const textOf = (markup: string): string =>
  decode(
    markup
      .replace(/^[\s\S]*<main/, '<main')
      .replace(/<footer[\s\S]*$/, '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim()

/** The addresses of all links, in order. */
export const linksIn = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => decode(href))

const decode = (markup: string): string => markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
