import MarkdownIt from 'markdown-it'

const { unescapeAll } = new MarkdownIt().utils

const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\da-z]{1,31});/gi

/**
 * Decodes the HTML references of a title or name (`Q&amp;A`, `Don&#8217;t`), which files have in place of plain text. A
 * text with any other `&` is not encoded: there a reference is what the text speaks of.
 */
export function decodeReferences(text: string): string {
  const decoded = text.replace(reference, unescapeAll)
  return text.replace(reference, '').includes('&') ? text : decoded
}

const cancelled = '(?:cancell?ed|abgesagt|entfällt|storniert|annulée?|cancelad[oa]|annullat[oa]|geannuleerd|afgelast)'
const before = new RegExp(
  String.raw`^\s*(?:(?:\*+\s*${cancelled}\s*\*+|\(${cancelled}\)|\[${cancelled}\])\s*[:–—-]?|${cancelled}(?: (?:event|session|talk))?(?:\s*[:–—|]|\s+-|-\s|\s*!+))\s*`,
  'i',
)
const after = new RegExp(
  String.raw`\s*(?:\*+\s*${cancelled}\s*\*+|\(${cancelled}\)|\[${cancelled}\]|\s[|–—-]\s*${cancelled}[!.]*)\s*$`,
  'i',
)

/** Longer titles are data of another kind, for which the expressions would take minutes. */
const maxLength = 1_000

/**
 * Separates a title from the note that its session is cancelled, as calendars have it: `Canceled: Opening`, `[cancelled]
 * Opening`, `Opening (abgesagt)`. A title that only speaks of cancelling has no separator: `Cancelled flights`.
 */
export function splitCancellation(written: string): { title: string; isCancelled: boolean } {
  if (written.length > maxLength) return { title: written, isCancelled: false }
  const title = written.replace(before, '').replace(after, '').trim()
  if (title === '' || title === written.trim()) return { title: written, isCancelled: false }
  return { ...splitCancellation(title), isCancelled: true }
}
