import { type Html, html } from '../html.ts'

/**
 * A URL in a text ends at white space, at a quotation mark or bracket that no URL contains, and at signs that are not seen or
 * turn the direction of what follows.
 */
const urls = /(?<![a-z0-9])https?:\/\/(?![/\\])[^\s<>"“”„«»「」『』。、，！？；：）】\p{Cc}\p{Cf}]+/giu

/** Of the end of a URL, what belongs to the sentence around it; a closing bracket only without its opening one. */
const ofSentence = /[.,;:!?'’*_~…،؛؟।]$/

/** A text that somebody wrote, with its http(s) URLs as links for which the summit does not answer. */
export const linkedText = (text: string): Html =>
  html`${splitAtUrls(text).map(({ before, url }) =>
    url === undefined
      ? html`${before}`
      : html`${before}<a href="${url}" rel="nofollow ugc noopener" dir="ltr">${url}</a>`,
  )}`

/** The parts of a text, each with the http(s) URL behind it; the last has none. */
export function splitAtUrls(text: string): { before: string; url?: string }[] {
  const parts: { before: string; url?: string }[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(urls)) {
    const url = withoutSentence(match)
    if (!isPlainUrl(url)) continue
    parts.push({ before: text.slice(end, index), url })
    end = index + url.length
  }
  return [...parts, { before: text.slice(end) }]
}

function withoutSentence(match: string): string {
  let end = match.length
  let excess = count(match, ')') - count(match, '(')
  for (; end > 0; end--) {
    if (match[end - 1] === ')' && excess > 0) excess--
    else if (!ofSentence.test(match.slice(end - 1, end))) break
  }
  return match.slice(0, end)
}

const count = (text: string, sign: string): number => text.split(sign).length - 1

/** Whether it names a host, and no user: `https://bank.example@evil.example` leads to the latter. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** Links that somebody wrote, for which the summit does not answer. */
export const linksOf = (links: readonly { title: string; url: string }[], heading: string): Html | undefined =>
  links.length === 0
    ? undefined
    : html`<section>
<h2>${heading}</h2>
<ul class="rows">
${links.map(({ title, url }) => html`<li>${outsideLink(url, title)}</li>\n`)}</ul>
</section>`

/** A link to another site; a text if it is not one that is safe to follow. */
export const outsideLink = (url: string, title: string): Html =>
  /^(https?:\/\/|mailto:)/i.test(url)
    ? html`<a href="${url}" rel="nofollow ugc noopener" dir="auto">${title || url}</a>`
    : html`<span dir="auto">${title || url}</span>`
