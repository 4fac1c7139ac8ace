import type { Release } from '../../../../contract/revisions.ts'
import type { Schedule, ScheduleEvent, Track } from '../../../../contract/schedule.ts'
import { text } from '../../../../web/text/en.ts'
import { clockTime, dateOf, shortWeekday, span } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { type Index, indexOf, type PageRequest } from './site.ts'

const words = text.session

/** When a session takes place, or one of its parts. */
export interface Slot {
  event: ScheduleEvent
  /** Of the part; undefined for a session of one. */
  part: string | undefined
  /** `HH:MM`; undefined if it is not known. */
  time: string | undefined
}

/** Parts before this time of day belong to the night of the day before. */
export const nightEnds = '05:00'

/** What takes place on a day of the conference, in the order of time; sessions without a time come last. */
export const slotsOn = ({ events }: Pick<Schedule, 'events'>, day: string): Slot[] =>
  events
    .flatMap((event): Slot[] => {
      const parts = event.activities.filter((part) => part.day === day)
      if (parts.length > 0) return parts.map(({ title, time }) => ({ event, part: title, time: time.slice(0, 5) }))
      if (event.day !== day || event.activities.length > 0) return []
      return [{ event, part: undefined, time: event.starts_at === null ? undefined : clockTime(event.starts_at) }]
    })
    .sort((a, b) => compare(orderOf(a, day), orderOf(b, day)))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function orderOf({ event, part, time }: Slot, day: string): string {
  if (time === undefined) return '~'
  const isNextDay = part === undefined ? event.starts_at !== null && dateOf(event.starts_at) > day : time < nightEnds
  return `${isNextDay ? 1 : 0}${time}`
}

/** Where and when a session was before it moved, for those that are where a release moved them. */
export type Moves = ReadonlyMap<string, { from: NonNullable<Release['events'][number]['from']>; at: string }>

/** The releases that are looked through for sessions which have moved. */
const recentReleases = 50

/** The sessions that have moved lately. */
export async function readMoves({ read, schedule }: PageRequest): Promise<Moves> {
  const { releases } = await read('listReleases', { offset: 0, limit: recentReleases })
  return movesIn(releases, indexOf(schedule))
}

/** @param releases newest first */
function movesIn(releases: readonly Release[], { events, rooms }: Index): Moves {
  const moves = new Map<string, { from: NonNullable<Release['events'][number]['from']>; at: string }>()
  const seen = new Set<string>()
  for (const { at, is_undone, events: changed } of releases)
    for (const { event_id, from, to } of changed) {
      if (!from || !to || is_undone || seen.has(event_id)) continue
      seen.add(event_id)
      const event = events.get(event_id)
      const room = event?.room_id == null ? null : (rooms.get(event.room_id)?.name ?? null)
      if (event && event.starts_at === to.starts_at && room === to.room) moves.set(event_id, { from, at })
    }
  return moves
}

/** `Thu 20:30, Zero`, without the day if it is the same. */
export function describeSlot(
  { starts_at, room }: { starts_at: string | null; room: string | null },
  day?: string,
): string {
  const time =
    starts_at === null
      ? []
      : [`${dateOf(starts_at) === day ? '' : `${shortWeekday(dateOf(starts_at))} `}${clockTime(starts_at)}`]
  return [...time, ...(room === null ? [] : [room])].join(', ')
}

interface ListOptions {
  base: string
  schedule: Schedule
  moves?: Moves
  /** Whether the items name their day, as in a list of several. */
  namesDay?: boolean
  /** What else an item says. */
  note?: Html | undefined
}

/** An item of a list of sessions. Time and room stand inside it, for those who do not see the headings. */
export function sessionItem(
  { event, part, time }: Slot,
  { base, schedule, moves, namesDay = false, note }: ListOptions,
): Html {
  const { id, title, is_cancelled, starts_at, ends_at, language, speaker_ids, room_id, track_id } = event
  const { rooms, tracks, speakers } = indexOf(schedule)
  const room = room_id === null ? undefined : rooms.get(room_id)
  const track = track_id === null ? undefined : tracks.get(track_id)
  const people = speaker_ids.flatMap((speaker) => speakers.get(speaker)?.name ?? [])
  const move = moves?.get(id)
  const when = starts_at !== null && part === undefined ? span({ starts_at, ends_at }) : time
  return html`<li class="session${is_cancelled ? ' cancelled' : ''}" data-session="${id}"${starts_at !== null && part === undefined ? html` data-start="${starts_at}" data-end="${ends_at ?? starts_at}"` : undefined}>
<div>
<h3><a href="${base}/sessions/${id}" dir="auto"${languageOf(language)}>${title}</a></h3>
${part !== undefined && part !== title && html`<p dir="auto">${part}</p>\n`}<p>${is_cancelled && html`<span class="tag bad">${words.cancelled}</span> `}${namesDay && event.day !== null && html`${shortWeekday(event.day)} `}${when ?? text.program.withoutTime}${room && html` <b dir="auto">${room.name}</b>`}</p>
${people.length > 0 && html`<p><span dir="auto">${people.join(', ')}</span></p>\n`}${move && html`<p><span class="tag warn">${words.moved}</span> ${words.wasShort(describeSlot(move.from, event.day ?? ''))}</p>\n`}${track && html`<p>${trackLabel(track)}</p>\n`}${note}</div>
${starButton(event)}
</li>
`
}

/** Stars are kept by the browser, so the button needs the script. */
export const starButton = ({ id, title }: Pick<ScheduleEvent, 'id' | 'title'>, isWide = false): Html =>
  html`<button type="button" class="star${isWide ? ' wide' : ''}" data-star="${id}" aria-pressed="false"${isWide ? undefined : html` aria-label="${words.starNamed(title)}"`} hidden>${isWide ? words.star : undefined}</button>`

export const trackLabel = ({ id, name }: Track): Html => html`<span class="track track-${id}" dir="auto">${name}</span>`

/** The attribute for the language of a text, if the program says one. */
export const languageOf = (tag: string): Html | undefined =>
  /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) ? html` lang="${tag}"` : undefined

/** The hours in which sessions begin, as `HH`, in the order of the day. */
export const hoursOf = (slots: readonly Slot[]): string[] => [
  ...new Set(slots.flatMap(({ time }) => time?.slice(0, 2) ?? [])),
]

/** Sessions under headings of time. The first of each hour can be linked to, as `#h09`. */
export function timetable(slots: readonly Slot[], options: ListOptions): Html {
  const groups = Map.groupBy(slots, ({ time }) => time)
  const linked = new Set<string>()
  const anchorOf = (time: string | undefined): Html | undefined => {
    const hour = time?.slice(0, 2)
    if (hour === undefined || linked.has(hour)) return undefined
    linked.add(hour)
    return html` id="h${hour}"`
  }
  return html`${[...groups].map(
    ([time, group]) => html`<section class="slot${time === undefined && ' untimed'}"${anchorOf(time)}>
<h2>${time ?? text.program.withoutTime}</h2>
<ul>
${group.map((slot) => sessionItem(slot, options))}</ul>
</section>
`,
  )}`
}
