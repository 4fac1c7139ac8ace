import sanitize from 'sanitize-html'
import { defaultLimits } from '../../contract/limits.ts'

/** HTML that is safe in any page. Only the functions here make it. */
export type SafeHtml = string & { readonly brand: 'safe HTML' }

const linkScheme = /^(?:https?:\/\/|mailto:)[^\s]/i

/** The tag of a link, or one without a name, which is discarded, where it leads nowhere or is too long to be one. */
function linkTag(_: string, { href = '' }: sanitize.Attributes): sanitize.Tag {
  const link = href.trim()
  if (!linkScheme.test(link) || link.length > defaultLimits.link) return { tagName: '', attribs: {} }
  return { tagName: 'a', attribs: { href: link, rel: 'noopener noreferrer' } }
}

/** As deep as Chromium nests elements. Each tag costs the parser time in proportion to how deep it is. */
const maxDepth = 512

const tooDeep = new Error(`elements nest deeper than ${maxDepth}`)

/** @throws tooDeep */
function sanitiseOnce(fragment: string): string {
  let depth = 0
  return sanitize(fragment, {
    allowedTags: [
      ...['p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
      ...['strong', 'em', 'b', 'i', 'u', 's', 'a'],
    ],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    // A page that nests deeper than this is an attack on whoever renders it, not a description.
    nestingLimit: 50,
    transformTags: { a: linkTag },
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
 * The fragment with nothing in it but plain structure: paragraphs, lists, quotations, code, small headings, emphasis
 * and links to http, https or mailto. No style, class, image, script or handler survives. Takes time in proportion to
 * the fragment, and returns at most about five times its length.
 *
 * Always a fixpoint: `sanitiseHtml(sanitiseHtml(x)) === sanitiseHtml(x)`, so that what is stored, shown, edited and stored
 * again does not drift. It takes two passes: discarding an element puts its neighbours side by side, and some tags close
 * the element next to them (`<p><div><h3>`). The second pass discards nothing.
 *
 * @param fragment HTML of any quality, from anyone
 * @returns an HTML fragment that is safe in any page; `''` when nothing is left; the escaped source in one
 *   paragraph when its elements nest more than 512 deep
 */
export function sanitiseHtml(fragment: string): SafeHtml {
  try {
    return sanitiseOnce(sanitiseOnce(fragment)) as SafeHtml
  } catch (error) {
    if (error !== tooDeep) throw error
    return `<p>${escapeText(fragment)}</p>` as SafeHtml
  }
}

// Quotes stay as they are: they mean nothing outside a tag, and the sanitiser would undo them.
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Plain text as an HTML fragment: blank lines part paragraphs, a single line break is `<br />`, everything else is
 * escaped and otherwise untouched. Its result is a fixpoint of {@link sanitiseHtml}.
 *
 * @param text plain text; CRLF and CR count as line breaks too
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
