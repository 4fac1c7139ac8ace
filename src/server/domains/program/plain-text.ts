import { Parser } from 'htmlparser2'

/** Elements with a blank line around them. */
const blocks = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote', 'pre', 'hr'])

/**
 * Converts a fragment from `sanitizeHtml` to plain text: blank lines between paragraphs, hyphens or numbers before the items
 * of lists, and the URL of a link behind its text, unless that is the text.
 */
export function toPlainText(fragment: string): string {
  let text = ''
  /** The line breaks that are due before the next text. */
  let due = 0
  let preformatted = 0
  /** The number of the last item in each list around; undefined for lists without numbers. */
  const lists: (number | undefined)[] = []
  const links: { href: string; start: number }[] = []
  /** The length of the text up to the last hyphen or number: what follows it is on the same line. */
  let itemStart = -1
  const breakLine = (count: number) => {
    if (text.length > itemStart) due = Math.max(due, count)
  }
  const write = (written: string) => {
    if (text !== '') text += '\n'.repeat(due)
    due = 0
    text += written
  }
  const parser = new Parser({
    onopentag: (name, { href = '', start = '1' }) => {
      if (name === 'br') write(text === '' ? '' : '\n')
      // Lists in lists have no blank lines.
      if (blocks.has(name)) breakLine(lists.length > 0 ? 1 : 2)
      if (name === 'pre') preformatted += 1
      if (name === 'hr') write('---')
      if (name === 'ul') lists.push(undefined)
      if (name === 'ol') lists.push(Number(start) - 1)
      if (name === 'a') links.push({ href, start: text.length })
      if (name !== 'li') return
      itemStart = -1
      breakLine(1)
      const last = lists.pop()
      const number = last === undefined ? undefined : last + 1
      lists.push(number)
      write(`${'  '.repeat(Math.max(0, lists.length - 1))}${number === undefined ? '-' : `${number}.`} `)
      itemStart = text.length
    },
    ontext: (written) => {
      if (preformatted > 0) return write(written)
      const isLineStart = due > 0 || text === '' || /[\s]$/.test(text)
      const words = written.replace(/\s+/g, ' ')
      const line = isLineStart ? words.trimStart() : words
      if (line !== '') write(line)
    },
    onclosetag: (name) => {
      if (name === 'pre') preformatted -= 1
      if (name === 'ul' || name === 'ol') lists.pop()
      if (blocks.has(name)) breakLine(lists.length > 0 ? 1 : 2)
      if (name === 'li') breakLine(1)
      const link = name === 'a' ? links.pop() : undefined
      if (link && !isShown(link.href, text.slice(link.start).trim())) text += ` (${link.href})`
    },
  })
  parser.end(fragment)
  return text.replace(/[^\S\n]+\n/g, '\n').trim()
}

/** Whether the text of a link is its target. */
const isShown = (href: string, text: string): boolean =>
  text === href || `mailto:${text}` === href || href.replace(/^https?:\/\//, '').replace(/\/$/, '') === text
