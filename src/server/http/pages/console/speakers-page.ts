import type { Draft, DraftSpeaker } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { findByWords, fold } from '../../../core/folded-text.ts'
import { aboutOf, avatar } from '../attendee/persons.ts'
import { formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import { longestSearch, pager, searchedIn, skippedIn } from '../paging.ts'
import type { ConsolePage, ConsoleRequest } from './console.ts'
import { draftPhotoOf } from './speaker-page.ts'

const { speakers: words, speaker: speakerWords } = consoleText

const path = '/console/speakers'

const speakersPerPage = 50

type State = keyof typeof words.states

/** A speaker, with what the list says of them. */
interface Listed {
  speaker: DraftSpeaker
  sessions: number
  /** The path of the photo, if it is stored here. */
  photo: string | undefined
}

const isIn: Readonly<Record<State, (listed: Listed) => boolean>> = {
  all: () => true,
  sessionless: ({ sessions }) => sessions === 0,
  faceless: ({ speaker }) => speaker.photo_url === null,
  elsewhere: ({ speaker, photo }) => speaker.photo_url !== null && photo === undefined,
}

/** The speakers by name, also those whom attendees do not see. */
export const speakersPage: ConsolePage = {
  path,
  operation: 'getDraft',
  tab: 'program',
  view: words.title,
  async render(request) {
    const { base, query } = request
    const all = listOf((await request.read('getDraft', {})).draft, request)
    const create = html`<a class="button primary" href="${base}${path}/new">${words.create}</a>`
    const heading = html`<div class="head"><h1>${words.title}</h1>${all.length > 0 && create}</div>`
    const erased = query.get('erased') === null ? undefined : formNotice(words.erased, 'ok')
    if (all.length === 0) return { title: words.title, heading, content: html`${erased}${emptyList(base, create)}` }
    const q = searchedIn(query)
    const show = query.get('show') ?? ''
    const state = Object.hasOwn(isIn, show) ? (show as State) : 'all'
    const found = search(all, q).filter(isIn[state])
    const from = skippedIn(query)
    const elsewhere = all.filter(isIn.elsewhere).length
    return {
      title: words.title,
      heading,
      content: html`${erased}${elsewhere > 0 && state !== 'elsewhere' && html`<p class="notice">${words.elsewhere(elsewhere)} <a href="${base}${path}?show=elsewhere">${words.showThem}</a></p>\n`}${searchForm(base, q, state)}
${(q !== '' || state !== 'all') && html`<p role="status">${words.found(found.length, all.length)} <a href="${base}${path}">${words.showAll}</a></p>\n`}${found.length === 0 ? html`<p class="empty">${words.nobodyFound}</p>` : html`<ul class="people">\n${found.slice(from, from + speakersPerPage).map((listed) => itemOf(listed, base))}</ul>`}
${pager({ path: base + path, query: { q, show: state === 'all' ? '' : state }, from, size: speakersPerPage, hasNext: found.length > from + speakersPerPage, words })}`,
    }
  },
}

const byName = new Intl.Collator('en')

function listOf({ speakers, events }: Draft, request: Pick<ConsoleRequest, 'base' | 'localPath'>): Listed[] {
  const counts = new Map<string, number>()
  for (const id of events.flatMap(({ speaker_ids }) => speaker_ids)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return speakers
    .map((speaker) => ({
      speaker,
      sessions: counts.get(speaker.id) ?? 0,
      photo: draftPhotoOf(speaker, request),
    }))
    .sort((a, b) => byName.compare(a.speaker.name, b.speaker.name))
}

function search(all: readonly Listed[], q: string): Listed[] {
  if (q === '') return [...all]
  const searched = all.map((listed) => {
    const { name, position, company } = listed.speaker
    return { listed, folded: { name: fold(name), text: fold(`${position}\n${company}`) } }
  })
  return findByWords(searched, q, { name: 2, text: 1 }).map(({ listed }) => listed)
}

const searchForm = (base: string, q: string, state: State): Html =>
  html`<form class="search speaker-search" role="search" action="${base}${path}" data-filters>
<input type="search" name="q" value="${q}" aria-label="${words.search}" placeholder="${words.placeholder}" maxlength="${longestSearch}" dir="auto">
<button>${words.find}</button>
<select name="show" aria-label="${words.show}">${Object.entries(words.states).map(([value, label]) => html`<option value="${value === 'all' ? '' : value}"${value === state && html` selected`}>${label}</option>`)}</select>
</form>`

function itemOf({ speaker, sessions, photo }: Listed, base: string): Html {
  const about = aboutOf(speaker)
  const isElsewhere = speaker.photo_url !== null && photo === undefined
  return html`<li><a class="person" href="${base}${path}/${speaker.id}">${avatar(speaker.name, photo)}
<span><b dir="auto">${speaker.name || speakerWords.nameless}</b>${about !== '' && html`<span class="quiet" dir="auto">${about}</span>`}<span>${sessions === 0 ? html`<span class="tag warn">${words.states.sessionless}</span>` : html`<span class="quiet">${speakerWords.sessions(sessions)}</span>`}${isElsewhere && html` <span class="tag">${words.states.elsewhere}</span>`}</span></span></a></li>
`
}

const emptyList = (base: string, create: Html): Html =>
  html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p>
<p><a class="button" href="${base}/console/import">${words.import}</a> ${create}</p></div>`
