import type { ScheduleEvent } from '../../../contract/schedule.ts'
import { minuteMs } from '../../core/time-units.ts'
import type { Program, ProgramEvent } from './program.ts'

// What `schedule.xml` and `schedule.json` have in common, by the schemas of https://github.com/voc/schedule: some values
// must follow a pattern there. One that does not is derived where it is required, and else left out.

/** Where the schemas name no format, readers expect a fragment to begin like HTML, or take it for Markdown. */
export const asHtml = (fragment: string): string =>
  fragment === '' || /^<(?:p|ul|ol|h[1-6]|blockquote|pre)\b/.test(fragment) ? fragment : `<div>${fragment}</div>`

/** Neither format has a status. */
export const titleOf = ({ title, is_cancelled }: ProgramEvent): string => (is_cancelled ? `Cancelled: ${title}` : title)

/** `HH:MM` */
export const startOf = ({ starts_at }: ProgramEvent): string => starts_at.slice(11, 16)

/** Whole minutes. */
export const minutesOf = ({ starts_at, ends_at }: ProgramEvent): number =>
  Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / minuteMs)

/** `HH:MM`; the hours may have more than two digits. */
export const formatDuration = (minutes: number): string => `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`

const pad = (number: number): string => String(number).padStart(2, '0')

/** What other tools put in front of their names for events, such as `39c3`. */
export function acronymOf({ conference: { acronym, title, first_day } }: Program): string {
  const year = first_day?.slice(0, 4) ?? ''
  const short = fold(acronym, '_')
  const names = [short, ...[short, fold(title, '_')].filter(Boolean).map((name) => `${name}_${year}`), 'conference']
  return names.find((name) => /^[a-z0-9_]{4,}$/.test(name)) ?? 'conference'
}

/** The words of a text in lower case and without accents. */
export const fold = (text: string, separator: '-' | '_'): string =>
  (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  ).join(separator)

/** A relation of which the formats have one URL, in a member of its own. */
type PageRelation = 'page' | 'origin' | 'feedback'

interface EventLinks {
  /** The first of each. */
  pages: Partial<Record<PageRelation, string>>
  recordings: string[]
  attachments: Link[]
  /** All others. */
  others: Link[]
}

type Link = NonNullable<ScheduleEvent['links']>[number]

const isPage = (rel: string): rel is PageRelation => rel === 'page' || rel === 'origin' || rel === 'feedback'

export function linksOf({ links }: ProgramEvent): EventLinks {
  const sorted: EventLinks = { pages: {}, recordings: [], attachments: [], others: [] }
  for (const link of links) {
    if (isPage(link.rel) && sorted.pages[link.rel] === undefined) sorted.pages[link.rel] = link.url
    else if (link.rel === 'recording') sorted.recordings.push(link.url)
    else if (link.rel === 'attachment') sorted.attachments.push(link)
    else sorted.others.push(link)
  }
  return sorted
}

interface DayOfRooms {
  date: string
  /** When its first event starts and its last one ends, with the offset from UTC. */
  start: string
  end: string
  rooms: { name: string; guid: string; events: ProgramEvent[] }[]
}

/** The days, each with the rooms that have events, in the organizers' order; events without a room come last. */
export function daysOf({ days, rooms, events }: Program): DayOfRooms[] {
  const ofDays = Map.groupBy(events, ({ day }) => day)
  return days.map(({ date, starts_at, ends_at }) => {
    const ofRooms = Map.groupBy(ofDays.get(date) ?? [], ({ room }) => room?.id)
    const used = [...rooms, undefined].flatMap((room) => {
      const found = ofRooms.get(room?.id)
      return found ? [{ name: room?.name ?? '', guid: room?.guid ?? '', events: found }] : []
    })
    return { date, start: starts_at ?? '', end: ends_at ?? '', rooms: used }
  })
}
