import { maxFoundEvents, type Schedule } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { Failure } from '../../../core/failure.ts'
import { longDay, shortDay, shortWeekday } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { nameOf, type Page } from '../layout.ts'
import { longestSearch, searchedIn } from '../paging.ts'
import { hoursOf, readMoves, type Slot, sessionItem, slotsOn, timetable } from './sessions.ts'
import { type AttendeePage, indexOf, type PageRequest, type Redirect, trackStyle } from './site.ts'

const words = text.program

/** By what the sessions of a day can be chosen; each is a query parameter. */
const filters = ['track', 'room', 'language', 'type'] as const
type Filter = (typeof filters)[number]

/** Today, the first day to come, or the last day; or the results of a search. */
export const programPage: AttendeePage = {
  path: '/program',
  operation: 'getSchedule',
  query: ['q'],
  redirects: true,
  render: (request) => (searchedIn(request.query) === '' ? toDay(request) : foundPage(request)),
}

function toDay({ schedule, now }: PageRequest): Page | Redirect {
  const { days, conference } = schedule
  const today = dateAt(now, conference.time_zone)
  const day = days.find(({ date }) => date >= today) ?? days.at(-1)
  if (day) return { redirect: `/program/${day.date}` }
  const content = html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p></div>`
  return { title: words.title, tab: 'program', content, isIndexed: true }
}

/** The date in a zone, `YYYY-MM-DD`. */
export const dateAt = (now: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)

async function foundPage({ read, schedule, query, frame }: PageRequest): Promise<Page> {
  const q = searchedIn(query)
  const { events } = await read('searchProgram', { q })
  const isFull = events.length === maxFoundEvents
  const slots = events.map((event): Slot => ({ event, part: undefined, time: undefined }))
  const content = html`${searchForm(frame.base, schedule, { q })}
<p role="status">${isFull ? words.foundMost(events.length, q) : words.found(events.length, q)}</p>
${events.length === 0 ? html`<div class="empty"><p>${words.nothingFound}</p></div>` : html`<h2 class="visually-hidden">${text.speakers.sessions}</h2>\n<ul class="timetable">\n${slots.map((slot) => sessionItem(slot, { base: frame.base, schedule, namesDay: true }))}</ul>`}`
  return { title: words.title, tab: 'program', content, style: trackStyle(schedule.tracks) }
}

/** A day of the program. */
export const dayPage: AttendeePage = {
  path: '/program/:date',
  operation: 'getSchedule',
  query: filters,
  render: async (request) => {
    const { schedule, params, query, frame } = request
    const { date = '' } = params
    if (!schedule.days.some((day) => day.date === date)) throw new Failure('NO_SUCH_ROUTE')
    const all = slotsOn(schedule, date)
    const slots = all.filter((slot) => filters.every((name) => matches(slot, name, query.get(name) ?? '')))
    const isFiltered = filters.some((name) => query.get(name))
    const options = { base: frame.base, schedule, moves: await readMoves(request) }
    const title = longDay(date)
    return {
      title,
      tab: 'program',
      isIndexed: !isFiltered,
      description: words.dayOf(title, all.length, nameOf(schedule.conference)),
      style: trackStyle(schedule.tracks),
      content: html`${daysOf(frame.base, schedule, date)}
${searchForm(frame.base, schedule, { date, slots: all, query })}
${isFiltered && html`<p role="status">${words.filtered(slots.length, all.length)}</p>`}
${slots.length === 0 && html`<div class="empty"><p>${words.nothingFiltered}</p></div>`}
${slots.length > longDaySlots && hoursNav(slots)}
<div class="timetable" data-day="${date}">
${timetable(slots, options)}</div>
<p class="hint" data-zone-note>${words.timeZone(schedule.conference.time_zone)}</p>`,
    }
  },
}

/** From this many on, a day is longer than a few screens. */
const longDaySlots = 40

const hoursNav = (slots: readonly Slot[]): Html =>
  html`<nav class="hours" aria-label="${words.hours}">
${hoursOf(slots).map((hour) => html`<a href="#h${hour}">${hour}:00</a>\n`)}</nav>`

const valueIn = ({ event }: Slot, name: Filter): string =>
  (name === 'track' ? event.track_id : name === 'room' ? event.room_id : event[name]) ?? ''

const matches = (slot: Slot, name: Filter, wanted: string): boolean => wanted === '' || valueIn(slot, name) === wanted

const daysOf = (base: string, { days }: Schedule, current: string): Html =>
  html`<nav class="days" aria-label="${words.days}">
${days.map(({ date }) => html`<a href="${base}/program/${date}"${date === current ? html` aria-current="page"` : undefined}><b>${shortWeekday(date)}</b> ${shortDay(date)}</a>\n`)}</nav>`

interface Search {
  q?: string
  /** The day whose sessions can be filtered. */
  date?: string
  slots?: readonly Slot[]
  query?: URLSearchParams
}

/** The search of the whole program, and the filters of a day. */
function searchForm(base: string, schedule: Schedule, { q = '', date, slots = [], query }: Search): Html {
  const chosen = query && filters.some((name) => query.get(name))
  const selects =
    date === undefined ? [] : filters.flatMap((name) => filterOf(name, schedule, slots, query?.get(name) ?? ''))
  return html`<form class="search" role="search" action="${base}/program">
<input type="search" name="q" value="${q}" aria-label="${words.search}" placeholder="${words.placeholder}" maxlength="${longestSearch}" dir="auto" required>
<button>${words.find}</button>
</form>
${
  selects.length > 0 &&
  html`<details${chosen && html` open`}>
<summary class="button">${words.filters}</summary>
<form class="filters" action="${base}/program/${date}" data-filters>
${selects}<p class="actions"><button class="primary">${words.apply}</button>${chosen && html` <a class="button" href="${base}/program/${date}">${words.clear}</a>`}</p>
</form>
</details>`
}`
}

/** A choice of the values that the sessions of the day have; none if there is nothing to choose. */
function filterOf(name: Filter, schedule: Schedule, slots: readonly Slot[], chosen: string): Html[] {
  const counts = new Map<string, number>()
  for (const slot of slots) counts.set(valueIn(slot, name), (counts.get(valueIn(slot, name)) ?? 0) + 1)
  counts.delete('')
  if (counts.size < 2 && chosen === '') return []
  const { rooms, tracks } = indexOf(schedule)
  const labelOf = (value: string): string => {
    if (name === 'language') return languageName(value)
    return (name === 'track' ? tracks.get(value) : name === 'room' ? rooms.get(value) : undefined)?.name ?? value
  }
  const order = name === 'track' ? schedule.tracks : name === 'room' ? schedule.rooms : []
  const values = order.length > 0 ? order.map(({ id }) => id).filter((id) => counts.has(id)) : [...counts.keys()].sort()
  return [
    html`<div><label for="${name}">${words[name]}</label>
<select id="${name}" name="${name}"><option value="">${words.any}</option>
${values.map((value) => html`<option value="${value}"${value === chosen && html` selected`}>${labelOf(value)} (${counts.get(value)})</option>\n`)}</select></div>
`,
  ]
}

const languageNames = new Intl.DisplayNames([text.language], { type: 'language', fallback: 'code' })

/** `German` for `de`; several tags and those that are none stay as they are. */
export function languageName(tags: string): string {
  try {
    return tags
      .split(', ')
      .map((tag) => languageNames.of(tag) ?? tag)
      .join(', ')
  } catch {
    return tags
  }
}
