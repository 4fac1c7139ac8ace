import { readFile } from 'node:fs/promises'
import MarkdownIt, { type Token } from 'markdown-it'

const guide = new URL('../../../../docs/api.md', import.meta.url)

/** The API guide as HTML, whose headings have the ids that its links name. */
export async function renderGuide(): Promise<string> {
  const markdown = new MarkdownIt({ html: false })
  const tokens = markdown.parse(await readFile(guide, 'utf8'), {})
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') token.attrSet('id', idOf(tokens[index + 1]?.content ?? ''))
    if (token.children) token.children = withServedLinks(token.children)
  })
  return markdown.renderer.render(tokens, markdown.options, {})
}

/** As GitHub names a heading. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The other documents are not served: their links become text. Links to the OpenAPI document are relative to this page. */
function withServedLinks(tokens: Token[]): Token[] {
  let isOpen = false
  return tokens.filter((token) => {
    if (token.type === 'link_close') return isOpen
    if (token.type !== 'link_open') return true
    const href = String(token.attrGet('href'))
    if (href === 'openapi.json') token.attrSet('href', '../openapi.json')
    isOpen = href === 'openapi.json' || /^(#|https:)/.test(href)
    return isOpen
  })
}
