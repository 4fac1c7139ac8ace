import { text } from '../../../../web/text/en.ts'
import { type Html, html } from '../html.ts'
import { type Frame, localPath } from '../layout.ts'
import { avatar, outsideLink } from './session-page.ts'

const words = text.people

interface Person {
  name: string
  /** What they do. */
  about: string
}

/** A face with a name, as a link to the page about them. */
export const personItem = ({ path, name, about, photo }: Person & { path: string; photo: string | undefined }): Html =>
  html`<li><a class="person" href="${path}">${avatar(name, photo)}
<span><b dir="auto">${name || words.nameless}</b>${about !== '' && html`<span class="quiet" dir="auto">${about}</span>`}</span></a></li>
`

/** The head of the page about somebody. */
export function profileHeading({ name, about, photo_url }: Person & { photo_url: string | null }, frame: Frame): Html {
  const photo = localPath(frame, photo_url)
  return html`<div class="profile">${avatar(name, photo, 'large')}
<div>
<h1 dir="auto">${name || words.nameless}</h1>
${about !== '' && html`<p class="lead" dir="auto">${about}</p>\n`}${photo_url !== null && photo === undefined && html`<p>${outsideLink(photo_url, text.speakers.photoElsewhere)}</p>\n`}</div>
</div>`
}

interface Search {
  path: string
  q: string
  label: string
  placeholder: string
  /** How many are found; undefined without a search. */
  count: number | undefined
}

/** The search of a list of people, and what it has found. */
export const personSearch = ({ path, q, label, placeholder, count }: Search): Html =>
  html`<form class="search short" role="search" action="${path}">
<input type="search" name="q" value="${q}" aria-label="${label}" placeholder="${placeholder}" maxlength="200" dir="auto" required>
<button>${words.find}</button>
</form>
${count !== undefined && html`<p role="status">${count === 0 ? words.nobodyFound(q) : words.found(count, q)} <a href="${path}">${words.all}</a></p>`}`
