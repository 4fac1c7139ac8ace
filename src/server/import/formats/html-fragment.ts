import MarkdownIt from 'markdown-it'
import { stripUnstorable } from './clean.ts'

const startsWithBlock = /^<(?:p|div|ul|ol|h[1-6]|blockquote|table|section|article|pre)\b[^<>]*>/i
const containsBlocks = /<\/(?:p|ul|ol|li|div|h[1-6]|blockquote|td)>/i
const containsBreaks = /<br ?\/?>/i

/**
 * Converts a session text to an HTML fragment, which is not sanitized yet. Some sources have HTML. Others have
 * Markdown, of which plain text is a special case, with or without inline tags. Text with Markdown code may mention
 * tags without being HTML.
 */
export function toHtmlFragment(text: string): string {
  const clean = stripUnstorable(text).trim()
  const hasBlocks = containsBlocks.test(clean) || (containsBreaks.test(clean) && !/\n\s*\n/.test(clean))
  const isHtml = startsWithBlock.test(clean) || (hasBlocks && !clean.includes('`'))
  return isHtml ? clean : renderMarkdown(clean)
}

const inlineTag = /<(\/?)(a|b|strong|i|em|u|s|del|code|br|span|small|sub|sup)\b[^<>]*>/gi

/** A tag is HTML if the text has both its opening and its closing tag; any other is part of the text. */
function pairedTags(text: string): Set<string> {
  const seen = new Set(['br'])
  for (const [, slash = '', name = ''] of text.matchAll(inlineTag)) seen.add(slash + name.toLowerCase())
  return new Set([...seen].filter((name) => name === 'br' || (!name.startsWith('/') && seen.has(`/${name}`))))
}

/** The environment of a rendering: the inline tags that are HTML. */
interface Tags {
  tags: ReadonlySet<string>
}

const markdown = new MarkdownIt({ html: true, breaks: true, xhtmlOut: true })
// Indented lines and bars are part of plain text. Blocks of HTML do not get here.
markdown.disable(['code', 'table', 'html_block', 'reference'])
markdown.renderer.rules.softbreak = () => '<br />'
markdown.renderer.rules.hardbreak = () => '<br />'
markdown.renderer.rules.html_inline = (tokens, index, _, env) => {
  const content = tokens[index]?.content ?? ''
  const name = /^<\/?([a-z]+)\b/i.exec(content)?.[1]?.toLowerCase()
  return name !== undefined && (env as Partial<Tags> | undefined)?.tags?.has(name)
    ? content
    : markdown.utils.escapeHtml(content)
}
markdown.renderer.rules.image = (tokens, index, options, env, renderer) => {
  const token = tokens[index]
  const href = markdown.utils.escapeHtml(String(token?.attrGet('src') ?? ''))
  return `<a href="${href}">${renderer.renderInlineAsText(token?.children ?? [], options, env)}</a>`
}

/** Renders CommonMark without white space between blocks. */
const renderMarkdown = (text: string): string =>
  markdown.render(text, { tags: pairedTags(text) } satisfies Tags).replace(/>\n(?=<|$)/g, '>')
