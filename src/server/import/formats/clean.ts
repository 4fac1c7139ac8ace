import { textToHtml } from '../../program/html.ts'

/** The text without what no database, header or JSON text can hold everywhere: NUL and lone surrogates. */
export const storable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '')

/** Titles and names are one line: control characters and runs of white space become one space. */
export const oneLine = (text: string): string =>
  storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Whether the text has more characters (code points, as requests are counted) than this. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length > 2 * limit || (text.length > limit && [...text].length > limit)

/** At most `limit` characters (code points) of the text. */
export const cut = (text: string, limit: number): string =>
  // Beyond twice as many UTF-16 units nothing can be among the first.
  [...text.slice(0, 2 * limit)].slice(0, limit).join('').trimEnd()

/** A quotation of a cell for a sentence: one line, not longer than anyone would read. */
export const quoted = (text: string): string => {
  const line = oneLine(text)
  return isLonger(line, 60) ? `“${cut(line, 59)}…”` : `“${line}”`
}

const startsAsHtml = /^<(?:p|div|ul|ol|h[1-6]|blockquote|table|section|span|strong|em|b|i|a|br)\b[^<>]*>/i
const holdsBlocks = /<br ?\/?>|<\/(?:p|ul|ol|li|div)>/i

/**
 * What a source says about a session as an HTML fragment. Most sources hold plain text or Markdown, which is escaped;
 * some (Indico, home-grown ones) hold HTML, which is passed on for the caller to sanitise. Text with Markdown code in it
 * may well talk about tags, so it is never taken for HTML.
 */
export function toFragment(text: string): string {
  const clean = storable(text).trim()
  const isHtml = startsAsHtml.test(clean) || (holdsBlocks.test(clean) && !clean.includes('`'))
  return isHtml ? clean : textToHtml(clean)
}
