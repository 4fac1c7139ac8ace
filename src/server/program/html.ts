import sanitize from 'sanitize-html'

const linkScheme = /^(?:https?:\/\/|mailto:)[^\s]/i

const options: sanitize.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['strong', 'em', 'b', 'i', 'u', 's', 'a'],
  ],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // A page that nests deeper than this is an attack on whoever renders it, not a description.
  nestingLimit: 50,
  transformTags: {
    a: (tagName, { href = '' }): sanitize.Tag => ({
      tagName,
      attribs: linkScheme.test(href.trim()) ? { href: href.trim(), rel: 'noopener noreferrer' } : {},
    }),
  },
  // A link that leads nowhere is only its words.
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && !attribs.href ? 'excludeTag' : false),
}

/** More elements than any description has; the parser's work grows with the square of how deep they nest. */
const maxElements = 20_000

/** Passes after which a fragment that still changes is no longer worth keeping as HTML. */
const maxPasses = 8

/**
 * The fragment with nothing in it but plain structure: paragraphs, lists, quotations, code, small headings, emphasis
 * and links to http, https or mailto. No style, class, image, script or handler survives.
 *
 * Always a fixpoint: `sanitiseHtml(sanitiseHtml(x)) === sanitiseHtml(x)`, so that what is stored, shown, edited and stored
 * again does not drift. One pass alone is not one: closing a tag that another tag has closed already makes a new element.
 *
 * @param fragment HTML of any quality, from anyone
 * @returns an HTML fragment that is safe in any page; `''` when nothing is left; the escaped source in one
 *   paragraph when it has more than 20,000 elements
 */
export function sanitiseHtml(fragment: string): string {
  if ((fragment.match(/<(?!br\b)[a-z]/gi)?.length ?? 0) > maxElements) return `<p>${escapeText(fragment)}</p>`
  let before = sanitize(fragment, options)
  for (let pass = 1; pass < maxPasses; pass += 1) {
    const after = sanitize(before, options)
    if (after === before) return after
    before = after
  }
  return sanitize(before, { allowedTags: [], allowedAttributes: {} })
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
export function textToHtml(text: string): string {
  const paragraphs: string[][] = [[]]
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)?.push(escapeText(line.trimEnd()))
  }
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => `<p>${lines.join('<br />').trimStart()}</p>`)
    .join('')
}
