/** Removes NUL and lone surrogates, which not every database, header or JSON parser accepts. */
export const stripUnstorable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '')

/** Puts a title or name on one line: runs of control characters and white space become one space. */
export const toOneLine = (text: string): string =>
  stripUnstorable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Whether the text has more than `limit` characters (code points, as in requests). */
export const isLongerThan = (text: string, limit: number): boolean =>
  text.length > 2 * limit || (text.length > limit && [...text].length > limit)

/** The first `limit` characters (code points) of the text. */
export const truncate = (text: string, limit: number): string =>
  // A code point has at most two UTF-16 units, so the rest cannot matter.
  (text.length > limit ? [...text.slice(0, 2 * limit)].slice(0, limit).join('') : text).trimEnd()

/** Characters of which a quotation is made. */
const quotable = 1_000

/** Quotes a cell for a message: one line of at most 60 characters. */
export const quote = (text: string): string => {
  // Many messages may quote the same long text.
  const line = toOneLine(text.slice(0, quotable))
  return text.length > quotable || isLongerThan(line, 60) ? `“${truncate(line, 59)}…”` : `“${line}”`
}

/** Formats one difference of a plan with the stored and the new value: `room “Hall” → “Garden”`. */
export const formatDifference = (name: string, from: string | null, to: string): string =>
  `${name} ${formatValue(from ?? '')} → ${formatValue(to)}`

/** In full: long values may differ at the end only. */
const formatValue = (value: string): string => (value === '' ? 'none' : `“${toOneLine(value)}”`)
