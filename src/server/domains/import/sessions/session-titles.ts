import MarkdownIt from 'markdown-it'
import { toOneLine } from '../../../core/clean-text.ts'

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

const cancelled =
  /^(?:cancell?ed|abgesagt|entfällt|entfallen|fällt aus|ausgefallen|storniert|annulée?|cancelad[oa]|anulad[oa]|annullat[oa]|geannuleerd|afgelast)(?: (?:event|session|talk))?$/i
const noteBefore =
  /^\s*(?:(?:\*+([^*]+)\*+|\(([^()]+)\)|\[([^[\]]+)\])\s*[:–—-]?|([\p{L} ]+?)(?:\s*[:–—|]|\s*!+|\s+-|-\s))\s*/u
const noteAfter = /\s*(?:(?<!\*)\*+([^*]+)\*+|\(([^()]+)\)|\[([^[\]]+)\]|\s[|–—-]\s*(\p{L}+)[!.]*)\s*$/u

const withoutCancellation = (all: string, ...notes: (string | undefined)[]): string =>
  notes.slice(0, 4).some((note) => cancelled.test(note?.trim() ?? '')) ? '' : all

/** Whether a cell has nothing but the note that its session is cancelled: `CANCELLED!`, `(fällt aus)`. */
export const isCancellation = (cell: string): boolean =>
  cell.length < 60 && cancelled.test(cell.replace(/^[\s([*]+|[\s)\]*!.]+$/g, ''))

/** Longer titles are data of another kind, for which the expressions would take minutes. */
const maxLength = 1_000
/** Notes that are removed from one title. */
const maxNotes = 5

/**
 * Separates a title from the note that its session is cancelled, as calendars have it: `Canceled: Opening`, `[cancelled]
 * Opening`, `Opening (abgesagt)`. A title that only speaks of cancelling has no separator: `Cancelled flights`.
 */
export function splitCancellation(written: string, notes = maxNotes): { title: string; isCancelled: boolean } {
  if (written.length > maxLength || notes === 0) return { title: written, isCancelled: false }
  const title = toOneLine(written)
    .replace(noteBefore, withoutCancellation)
    .replace(noteAfter, withoutCancellation)
    .trim()
  if (title === '' || title === toOneLine(written)) return { title: written, isCancelled: false }
  return { ...splitCancellation(title, notes - 1), isCancelled: true }
}
