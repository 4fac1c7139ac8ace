import type { Speaker } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { type Html, html } from '../html.ts'
import { type Frame, localPath } from '../layout.ts'
import { longestSearch } from '../paging.ts'
import { outsideLink } from './linked-text.ts'

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

/** What a speaker does. */
export const aboutOf = ({ position, company }: Pick<Speaker, 'position' | 'company'>): string =>
  [position, company].filter((part) => part !== '').join(', ')

/** A speaker, as a link to the page about them. */
export const speakerItem = (speaker: Speaker, frame: Pick<Frame, 'base' | 'baseUrl'>): Html =>
  personItem({
    path: `${frame.base}/speakers/${speaker.id}`,
    name: speaker.name,
    about: aboutOf(speaker),
    photo: localPath(frame, speaker.photo_url),
  })

/** A face, or the initials of a name. Both are decoration beside the name. */
export const avatar = (name: string, photo: string | undefined, size?: 'large'): Html => {
  const pixels = size === 'large' ? 96 : 40
  const classes = size === 'large' ? 'avatar large' : 'avatar'
  return photo === undefined
    ? html`<span class="${classes}" aria-hidden="true">${initialsOf(name)}</span>`
    : html`<img class="${classes}" src="${photo}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`
}

const segmenter = new Intl.Segmenter()

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const parts = name.split(/[\s·]+/).filter((part) => /^[\p{L}\p{N}]/u.test(part))
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : parts
  return ends.map((part = '') => [...segmenter.segment(part)][0]?.segment.toLocaleUpperCase() ?? '').join('') || '·'
}

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
<input type="search" name="q" value="${q}" aria-label="${label}" placeholder="${placeholder}" maxlength="${longestSearch}" dir="auto" required>
<button>${words.find}</button>
</form>
${count !== undefined && html`<p role="status">${count === 0 ? words.nobodyFound(q) : words.found(count, q)} <a href="${path}">${words.all}</a></p>`}`
