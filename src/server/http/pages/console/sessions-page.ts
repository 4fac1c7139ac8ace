import type { Draft, DraftEvent } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { findByWords, fold } from '../../../core/folded-text.ts'
import { longDay } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { addressOf, longestSearch, pager, searchedIn, skippedIn } from '../paging.ts'
import { type ConsolePage, isUnpublished } from './console.ts'
import { hiddenFields } from './fields.ts'
import { type DraftIndex, indexDraft, sessionRow } from './session-row.ts'

const { sessions } = consoleText

const path = '/console/sessions'

const sessionsPerPage = 50

type State = Exclude<keyof typeof sessions.states, 'all'>

const takesPlace = ({ is_deleted, is_cancelled }: DraftEvent): boolean => !is_deleted && !is_cancelled

/** What may be left to do about a session. */
const isIn: Readonly<Record<State, (event: DraftEvent, index: DraftIndex) => boolean>> = {
  unpublished: isUnpublished,
  new: ({ is_published }) => !is_published,
  changed: ({ is_published, is_deleted, changes }) => is_published && !is_deleted && changes.length > 0,
  removed: ({ is_deleted }) => is_deleted,
  clash: ({ id }, { clashesOf }) => clashesOf.has(id),
  timeless: (event) => takesPlace(event) && event.starts_at === null && event.activities.length === 0,
  roomless: (event) => takesPlace(event) && event.room_id === null,
  cancelled: ({ is_cancelled }) => is_cancelled,
}

/** What a session has of each choice. */
const valueIn = {
  day: ({ day }: DraftEvent) => day,
  room: ({ room_id }: DraftEvent) => room_id,
  track: ({ track_id }: DraftEvent) => track_id,
}
type Choice = keyof typeof valueIn

const choices: readonly Choice[] = ['day', 'room', 'track']

/** What is asked for, as the address says it; '' for no restriction. */
type Wanted = Record<Choice | 'q' | 'state', string>

/** The sessions as editors see them, in the order of the program, by what is left to do and by words. */
export const sessionsPage: ConsolePage = {
  path,
  operation: 'getDraft',
  tab: 'program',
  view: sessions.title,
  async render({ read, base, query }) {
    const { draft } = await read('getDraft', {})
    const index = indexDraft(draft)
    const wanted = wantedIn(query)
    const isRestricted = Object.values(wanted).some((value) => value !== '')
    const choose = createChooser(draft, index, wanted)
    const found = inOrderOfDays(choose())
    const from = skippedIn(query)
    if (draft.events.length === 0) return { title: sessions.title, content: emptyProgram(base) }
    return {
      title: sessions.title,
      heading: html`<div class="head"><h1>${sessions.title}</h1>
<a class="button primary" href="${base}${path}/new">${sessions.create}</a></div>`,
      content: html`${searchForm(base, wanted)}
${statesOf(base, wanted, choose, index)}
${filterForm(base, draft, wanted, choose)}
${isRestricted && html`<p role="status">${sessions.found(found.length, draft.events.length)}</p>\n`}${listOf(found.slice(from, from + sessionsPerPage), base, index)}
${pager({ path: base + path, query: wanted, from, size: sessionsPerPage, hasNext: found.length > from + sessionsPerPage, words: sessions })}`,
    }
  },
}

function wantedIn(query: URLSearchParams): Wanted {
  const state = query.get('state') ?? ''
  return {
    q: searchedIn(query),
    state: Object.hasOwn(isIn, state) ? state : '',
    day: query.get('day') ?? '',
    room: query.get('room') ?? '',
    track: query.get('track') ?? '',
  }
}

/** Chooses the sessions that are wanted; for the numbers beside a filter, as if that one was not set. */
type Choose = (without?: Choice | 'state') => DraftEvent[]

function createChooser({ events }: Draft, index: DraftIndex, { q, state, ...wanted }: Wanted): Choose {
  const withWords = q === '' ? events : findSessions(events, q, index)
  return (without) =>
    withWords.filter(
      (event) =>
        choices.every((name) => name === without || wanted[name] === '' || valueIn[name](event) === wanted[name]) &&
        (without === 'state' || state === '' || isIn[state as State](event, index)),
    )
}

/** In the order of the program: each word counts alike, wherever it is found. */
function findSessions(events: readonly DraftEvent[], q: string, { rooms, speakers }: DraftIndex): DraftEvent[] {
  const searched = events.map((event) => {
    const { title, subtitle, room_id, speaker_ids } = event
    const names = speaker_ids.map((id) => speakers.get(id)?.name)
    return { event, folded: { text: fold([title, subtitle, rooms.get(room_id ?? '')?.name, ...names].join('\n')) } }
  })
  return findByWords(searched, q, { text: 1 }).map(({ event }) => event)
}

/** What starts after midnight may be of the day before. */
const inOrderOfDays = (events: readonly DraftEvent[]): DraftEvent[] =>
  [...Map.groupBy(events, ({ day }) => day ?? '~')].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, some]) => some)

/** Links to what is left to do, with how many sessions each shows. */
function statesOf(base: string, wanted: Wanted, choose: Choose, index: DraftIndex): Html | undefined {
  const all = choose('state')
  const counted = (Object.keys(isIn) as State[]).map(
    (state) => [state, all.filter((event) => isIn[state](event, index)).length] as const,
  )
  const shown = counted.filter(([state, count]) => count > 0 || state === wanted.state)
  if (shown.length === 0) return undefined
  const link = (state: State | '', label: string, count: number) =>
    html`<a href="${addressOf(base + path, { ...wanted, state })}"${state === wanted.state && html` aria-current="true"`}>${label} <b>${count.toLocaleString('en')}</b></a>\n`
  return html`<nav class="states" aria-label="${sessions.statesLabel}">
${link('', sessions.states.all, all.length)}${shown.map(([state, count]) => link(state, sessions.states[state], count))}</nav>`
}

const searchForm = (base: string, wanted: Wanted): Html =>
  html`<form class="search" role="search" action="${base}${path}">
<input type="search" name="q" value="${wanted.q}" aria-label="${sessions.search}" placeholder="${sessions.placeholder}" maxlength="${longestSearch}" dir="auto">
${hiddenFields(wanted, ['state', ...choices])}<button>${sessions.find}</button>
</form>`

function filterForm(base: string, draft: Draft, wanted: Wanted, choose: Choose): Html | undefined {
  const selects = choices.flatMap((name) => selectOf(name, draft, wanted[name], choose(name)))
  if (selects.length === 0) return undefined
  const isChosen = choices.some((name) => wanted[name] !== '')
  return html`<details${isChosen && html` open`}>
<summary class="button">${sessions.filters}</summary>
<form class="filters" action="${base}${path}" data-filters>
${hiddenFields(wanted, ['q', 'state'])}${selects}<p class="actions"><button class="primary">${sessions.apply}</button> <a class="button" href="${base}${path}">${sessions.showAll}</a></p>
</form>
</details>`
}

/** A choice of what the sessions have; none if there is nothing to choose. */
function selectOf(name: Choice, draft: Draft, chosen: string, events: readonly DraftEvent[]): Html[] {
  const counts = Map.groupBy(events, valueIn[name])
  const named = name === 'day' ? daysIn(draft) : draft[`${name}s`].list.map(({ id, name }) => [id, name] as const)
  const options = named.filter(([value]) => counts.has(value) || value === chosen)
  if (options.length < 2 && chosen === '') return []
  return [
    html`<div><label for="${name}">${sessions[name]}</label>
<select id="${name}" name="${name}"><option value="">${sessions.any}</option>
${options.map(([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label} (${counts.get(value)?.length ?? 0})</option>\n`)}</select></div>
`,
  ]
}

const daysIn = ({ events }: Draft): (readonly [string, string])[] =>
  [...new Set(events.flatMap(({ day }) => day ?? []))].sort().map((day) => [day, longDay(day)] as const)

function listOf(events: readonly DraftEvent[], base: string, index: DraftIndex): Html {
  if (events.length === 0)
    return html`<div class="empty"><p>${sessions.nothingFound}</p><p><a class="button" href="${base}${path}">${sessions.showAll}</a></p></div>`
  return html`${[...Map.groupBy(events, ({ day }) => day)].map(
    ([day, ofDay]) => html`<section>
<h2>${day === null ? sessions.withoutDay : longDay(day)}</h2>
<ul class="rows">
${ofDay.map((event) => sessionRow(event, base, index))}</ul>
</section>
`,
  )}`
}

const emptyProgram = (base: string): Html =>
  html`<div class="empty"><h2>${sessions.empty}</h2><p>${sessions.emptyHint}</p>
<p><a class="button primary" href="${base}/console/import">${sessions.import}</a> <a class="button" href="${base}${path}/new">${sessions.create}</a></p></div>`
