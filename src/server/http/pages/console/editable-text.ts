import { Parser } from 'htmlparser2'
import { consoleText } from '../../../../web/text/en-console.ts'
import { splitAtUrls } from '../attendee/linked-text.ts'
import { type Html, html } from '../html.ts'
import type { Attempt } from './console.ts'
import type { Edit, FormValues } from './edit.ts'
import { areaField } from './fields.ts'

// Descriptions are HTML, and people write texts. A text has paragraphs, lines, items that begin with "- ", and URLs. HTML that
// is no more than that is shown as a text, and all other HTML as it is, so that nobody loses what they do not see.

/** The text of a fragment from `sanitizeHtml`; undefined for one with anything that the text would not have. */
export function toEditableText(fragment: string): string | undefined {
  const read = readPlain(fragment)
  if (!read) return undefined
  const again = readPlain(toHtml(read.text))
  const links = new Set(again?.links)
  const isSame =
    again !== undefined &&
    linesOf(read.text).join('\n') === linesOf(again.text).join('\n') &&
    read.links.every((link) => links.has(link))
  return isSame ? read.text : undefined
}

/** The lines of a text that are not blank. */
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** A no-break space is no space to collapse. */
const spaces = /[ \t\n\r\f]+/g

const trimmed = (line: string): string => line.replaceAll(spaces, ' ').replace(/^ | $/g, '')

/** A fragment without formatting as a text, with the targets of its links. */
function readPlain(fragment: string): { text: string; links: string[] } | undefined {
  const lines: string[] = []
  const links: string[] = []
  const open: string[] = []
  let line = ''
  let link: { href: string; text: string } | undefined
  let isPlain = true
  const endLine = () => {
    const text = trimmed(line)
    line = ''
    if (text !== '') lines.push(open.includes('li') ? `- ${text}` : text)
  }
  const parser = new Parser({
    onopentag: (name, { href = '' }) => {
      const isInItem = open.includes('li')
      if (name === 'br') {
        if (isInItem) isPlain = false
        if (trimmed(line) === '') lines.push('')
        endLine()
      } else if (name === 'a') link = { href, text: '' }
      else if (name === 'p' && isInItem) isPlain &&= trimmed(line) === ''
      else if (name === 'p' || (name === 'ul' && !open.includes('ul'))) {
        endLine()
        lines.push('')
      } else if (name === 'li' && open.at(-1) === 'ul') line = ''
      else isPlain = false
      if (name !== 'br') open.push(name)
    },
    ontext: (text) => {
      if (link) link.text += text
      if (open.at(-1) !== 'ul') line += text
      else if (trimmed(text) !== '') isPlain = false
    },
    onclosetag: (name) => {
      if (name === 'br') return
      if (name === 'a' && link) {
        isPlain &&= link.text === link.href
        links.push(link.href)
        link = undefined
      }
      // Nobody could see that an item is empty.
      if (name === 'li') isPlain &&= trimmed(line) !== ''
      if (name === 'li' || ((name === 'p' || name === 'ul') && !open.includes('li'))) endLine()
      if ((name === 'p' || name === 'ul') && !open.includes('li')) lines.push('')
      open.pop()
    },
  })
  parser.end(fragment)
  endLine()
  return isPlain
    ? {
        text: lines
          .join('\n')
          .replaceAll(/\n{3,}/g, '\n\n')
          .replace(/^\n+|\n+$/g, ''),
        links,
      }
    : undefined
}

/** A text as HTML, which `sanitizeHtml` does not change. */
export function toHtml(text: string): string {
  const blocks: { name: 'p' | 'ul'; lines: string[] }[] = []
  let isOpen = false
  for (const line of text.split(/\r\n?|\n/)) {
    const words = trimmed(line)
    const item = /^- (.+)$/s.exec(words)?.[1]
    const name = item === undefined ? 'p' : 'ul'
    if (words !== '') {
      const block = isOpen ? blocks.at(-1) : undefined
      if (block?.name === name) block.lines.push(withLinks(item ?? words))
      else blocks.push({ name, lines: [withLinks(item ?? words)] })
    }
    isOpen = words !== ''
  }
  return blocks
    .map(({ name, lines }) =>
      name === 'p' ? `<p>${lines.join('<br />')}</p>` : `<ul>${lines.map((item) => `<li>${item}</li>`).join('')}</ul>`,
    )
    .join('')
}

const withLinks = (line: string): string =>
  splitAtUrls(line)
    .map(({ before, url }) => escapeText(before) + (url === undefined ? '' : linkTo(escapeText(url))))
    .join('')

const linkTo = (url: string): string => `<a href="${url}" rel="noopener noreferrer">${url}</a>`

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What a form shows of a fragment. */
export const editableText = (fragment: string): string => toEditableText(fragment) ?? fragment

/** The field of a text that is stored as HTML. It says in which of both it was shown. */
export function htmlField(
  edit: Edit,
  { name, label, rows, stored }: { name: string; label: string; rows: number; stored: string },
  current: FormValues,
  attempt?: Attempt,
): Html {
  const isTyped = attempt !== undefined && edit.values[name] !== current[name]
  const isHtml = isTyped ? isSentAsHtml(attempt.sent, name) : toEditableText(stored) === undefined
  const { texts } = consoleText
  return html`${areaField(edit, { name, label, rows, hint: isHtml ? texts.htmlHint : texts.textHint })}<input type="hidden" name="${formatOf(name)}" value="${isHtml ? 'html' : 'text'}">
`
}

/** The HTML of a text that was sent by an {@link htmlField}. */
export const readHtmlField = (sent: Readonly<Record<string, unknown>>, name: string, value: unknown): string =>
  isSentAsHtml(sent, name) ? String(value) : toHtml(String(value))

const formatOf = (name: string): string => `${name}_format`

const isSentAsHtml = (sent: Readonly<Record<string, unknown>>, name: string): boolean => sent[formatOf(name)] === 'html'
