import { Parser } from 'htmlparser2'
import MarkdownIt from 'markdown-it'
import { stripUnstorable } from '../../../core/clean-text.ts'

/**
 * Converts a session text to an HTML fragment, which is not sanitized yet. Some sources have HTML. Others have
 * Markdown, of which plain text is a special case, with or without inline tags. Text with Markdown code may mention
 * tags without being HTML.
 */
export function toHtmlFragment(text: string): string {
  const clean = stripUnstorable(text).trim()
  const tags = findTags(clean)
  return separateBlocks(isHtml(clean, tags) ? clean : renderMarkdown(clean, tags))
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements within a line: the phrasing content of HTML, and older ones. */
const inlineElements = words(
  'a abbr acronym audio b bdi bdo big br button canvas cite code data datalist del dfn em embed font hr i iframe img ' +
    'input ins kbd label map mark math meter nobr noscript object option output picture progress q rp rt ruby s samp ' +
    'script select slot small source span strike strong style sub sup svg template textarea time track tt u var video wbr',
)

/** Any other element begins a line of its own, also an unknown one; a prefix is that of an office program (`o:p`). */
const isBlock = (name: string) => !inlineElements.has(name) && !name.includes(':')

const withoutEnd = words('br hr wbr')
/** Elements whose end tag may be missing. */
const withOptionalEnd = words('p li dt dd tr td th')
/** Elements whose text the sanitizer discards. In Markdown they are examples. */
const withoutText = words('script style textarea option')

const tag = /<(\/?)([a-z][\w:-]*)(?=[\s/>])([^<>]*)>/gi

/**
 * The names of the tags that are HTML: those with both an opening and a closing tag, or with a quoted attribute, and
 * those that need none. Any other is part of the text.
 */
function findTags(text: string): ReadonlySet<string> {
  const opened = new Set<string>()
  const tags = new Set(withoutEnd)
  for (const [, slash, written = '', attributes = ''] of text.matchAll(tag)) {
    const name = written.toLowerCase()
    const isEnd = slash === '/'
    const isPair = opened.has(name) && (isEnd || withOptionalEnd.has(name))
    if (isPair || (isEnd && withOptionalEnd.has(name)) || /=\s*["']/.test(attributes)) tags.add(name)
    if (!isEnd) opened.add(name)
  }
  return tags
}

const startsWithBlock = /^<(?:p|div|ul|ol|h[1-6]|blockquote|table|section|article|pre)\b[^<>]*>/i
const containsBreaks = /<br ?\/?>/i

function isHtml(text: string, tags: ReadonlySet<string>): boolean {
  const isOther = (name: string) => !inlineElements.has(name)
  const first = /^<([a-z][\w:-]*)/i.exec(text)?.[1]?.toLowerCase() ?? ''
  if (startsWithBlock.test(text) || (tags.has(first) && isOther(first))) return true
  if (text.includes('`')) return false
  return [...tags].some(isOther) || (containsBreaks.test(text) && !/\n\s*\n/.test(text))
}

/** Blocks that the sanitizer leaves, so that what they hold stays apart. */
const keptBlocks = words('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr br')
const cells = words('td th')

/** The depth at which the sanitizer takes the source as text. */
const maxDepth = 512

/**
 * Inserts a line break between the contents of blocks that the sanitizer discards, and a bar between the cells of a
 * row. Changes nothing else.
 */
function separateBlocks(html: string): string {
  const insertions: { at: number; text: string }[] = []
  /** The separator that is due before the next text; `''` at the beginning of a line or within one. */
  let due: '' | ' | ' | '<br />' = ''
  let isLineStart = true
  let depth = 0
  let hidden = 0
  const parser = new Parser(
    {
      onopentag: (name) => {
        depth += 1
        if (depth > maxDepth) {
          parser.pause()
          insertions.length = 0
          return
        }
        if (withoutText.has(name)) hidden += 1
        meet(name)
        if (cells.has(name) && due === '' && !isLineStart) due = ' | '
      },
      onclosetag: (name) => {
        depth -= 1
        if (withoutText.has(name)) hidden -= 1
        if (!cells.has(name)) meet(name)
      },
      ontext: (text) => {
        if (hidden > 0 || text.trim() === '') return
        if (due !== '') insertions.push({ at: parser.startIndex, text: due })
        due = ''
        isLineStart = false
      },
    },
    { decodeEntities: false },
  )
  /** A tag: what follows is on another line, unless the element is inline. */
  const meet = (name: string) => {
    if (keptBlocks.has(name)) {
      due = ''
      isLineStart = true
    } else if (isBlock(name) && !cells.has(name) && !isLineStart) due = '<br />'
  }
  parser.end(html)
  let [result, last] = ['', 0]
  for (const { at, text } of insertions) {
    result += html.slice(last, at) + text
    last = at
  }
  return result + html.slice(last)
}

/** The environment of a rendering: the inline tags that are HTML. */
interface Environment {
  tags: ReadonlySet<string>
}

const markdown = new MarkdownIt({ html: true, breaks: true, xhtmlOut: true })
// Indented lines and bars are part of plain text. Blocks of HTML do not get here.
markdown.disable(['code', 'table', 'html_block', 'reference'])
markdown.renderer.rules.softbreak = () => '<br />'
markdown.renderer.rules.hardbreak = () => '<br />'
markdown.renderer.rules.html_inline = (tokens, index, _, env) => {
  const content = tokens[index]?.content ?? ''
  if (content.startsWith('<!--')) return ''
  const name = /^<\/?([a-z][\w:-]*)/i.exec(content)?.[1]?.toLowerCase() ?? ''
  return (env as Partial<Environment> | undefined)?.tags?.has(name) && !withoutText.has(name)
    ? content
    : markdown.utils.escapeHtml(content)
}
markdown.renderer.rules.image = (tokens, index, options, env, renderer) => {
  const token = tokens[index]
  const href = markdown.utils.escapeHtml(String(token?.attrGet('src') ?? ''))
  return `<a href="${href}">${renderer.renderInlineAsText(token?.children ?? [], options, env)}</a>`
}

/** Renders CommonMark without white space between blocks. */
const renderMarkdown = (text: string, tags: ReadonlySet<string>): string =>
  markdown.render(text, { tags } satisfies Environment).replace(/>\n(?=<|$)/g, '>')
