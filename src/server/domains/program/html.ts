import sanitize from 'sanitize-html'
import { defaultLimits } from '../../../contract/limits.ts'

/** HTML that is safe in any page. Only the functions in this file produce it. */
export type SafeHtml = string & { readonly brand: 'safe HTML' }

const linkScheme = /^(?:https?:\/\/|mailto:)[^\s]/i

/** The tag of a link, or a nameless tag, which is discarded, if the target is not allowed or too long. */
function linkTag(_: string, { href = '' }: sanitize.Attributes): sanitize.Tag {
  const link = href.trim()
  if (!linkScheme.test(link) || link.length > defaultLimits.link) return { tagName: '', attribs: {} }
  return { tagName: 'a', attribs: { href: link, rel: 'noopener noreferrer' } }
}

/** The first number of a list that continues another. */
function listTag(_: string, { start = '' }: sanitize.Attributes): sanitize.Tag {
  return { tagName: 'ol', attribs: /^\d{1,9}$/.test(start) && start !== '1' ? { start } : {} }
}

/** The limit of Chromium. Parsing a tag takes time proportional to its depth. */
const maxDepth = 512

const tooDeep = new Error(`elements nest deeper than ${maxDepth}`)

/** @throws tooDeep */
function sanitizeOnce(fragment: string): string {
  let depth = 0
  return sanitize(fragment, {
    allowedTags: [
      ...['p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
      ...['strong', 'em', 'b', 'i', 'u', 's', 'a'],
    ],
    allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    // Deeper nesting is an attack on the renderer, not a description.
    nestingLimit: 50,
    // Larger headings are those of the app.
    transformTags: { a: linkTag, h1: 'h3', h2: 'h3', ol: listTag },
    onOpenTag: () => {
      depth += 1
      if (depth > maxDepth) throw tooDeep
    },
    onCloseTag: () => {
      depth -= 1
    },
  })
}

/**
 * Reduces a fragment to plain structure: paragraphs, lists, quotations, code, headings (at most h3), emphasis and links
 * to http, https or mailto. Removes styles, classes, images, scripts and handlers. Takes time proportional to the
 * length of the fragment and returns at most about five times that length.
 *
 * Idempotent: `sanitizeHtml(sanitizeHtml(x)) === sanitizeHtml(x)`, so that text does not drift when it is repeatedly
 * shown, edited and stored. This takes two passes: discarding an element makes its neighbours adjacent, and some tags
 * close the adjacent element (`<p><div><h3>`). The second pass discards nothing.
 *
 * @param fragment HTML of any quality, from anyone
 * @returns an HTML fragment that is safe in any page; `''` if nothing is left; the escaped source in one paragraph if
 *   its elements nest more than 512 deep
 */
export function sanitizeHtml(fragment: string): SafeHtml {
  try {
    return sanitizeOnce(sanitizeOnce(fragment)) as SafeHtml
  } catch (error) {
    if (error !== tooDeep) throw error
    return `<p>${escapeText(fragment)}</p>` as SafeHtml
  }
}

// Quotes are not escaped: they have no meaning outside tags, and the sanitizer would unescape them.
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Converts plain text to an HTML fragment: blank lines separate paragraphs, a single line break becomes `<br />`,
 * everything else is escaped and otherwise unchanged. {@link sanitizeHtml} does not change the result.
 *
 * @param text plain text; CRLF and CR are line breaks, too
 * @returns `<p>…</p>` for each paragraph, or `''` for blank text
 */
export function textToHtml(text: string): SafeHtml {
  const paragraphs: string[][] = [[]]
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)?.push(escapeText(line.trimEnd()))
  }
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `<p>${lines.join('<br />').trimStart()}</p>`)
    .join('') as SafeHtml
}

/** The fragment with which the description of a session begins, where clients know no subtitles. */
export const subtitleHtml = (subtitle: string): SafeHtml =>
  textToHtml(subtitle).replace(/^<p>(.*)<\/p>$/, '<p><strong>$1</strong></p>') as SafeHtml
