import type { Schedule, ScheduleEvent, Track } from '../../../../contract/schedule.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Reader } from '../../api.ts'
import type { Frame, Page } from '../layout.ts'

/** What a page is made of: the same for all of an audience. */
export interface PageRequest {
  read: Reader['read']
  frame: Frame
  /** The whole program, without texts. */
  schedule: Schedule
  /** The parameters of its path. */
  params: Readonly<Record<string, string>>
  /** That of the request, with the parameters that the page knows only; empty for a cached page. */
  query: URLSearchParams
  /** In milliseconds since 1970. */
  now: number
  /** The ids of the sessions that the reader has starred, on a page that shows them; undefined for whoever has no account. */
  stars?: readonly string[] | undefined
}

/** A page that all of an audience see alike. */
export interface AttendeePage {
  /** Its route, below the base. */
  path: string
  /** Whoever may use this operation may see the page. */
  operation: Parameters<Reader['read']>[0]
  /** The query parameters that it knows. With one of them, the page is rendered for this request alone. */
  query?: readonly string[]
  /** Whether it shows the stars of whoever reads it. Then it is rendered for this request alone. */
  showsStars?: boolean
  /** Whether it goes on to another page, which depends on the time. */
  redirects?: boolean
  /** @returns a page, or where to go instead, below the base @throws Failure */
  render(request: PageRequest): Promise<Page | Redirect> | Page | Redirect
}

export interface Redirect {
  redirect: string
}

/** The program by id. */
export interface Index {
  rooms: ReadonlyMap<string, Schedule['rooms'][number]>
  tracks: ReadonlyMap<string, Track>
  speakers: ReadonlyMap<string, Schedule['speakers'][number]>
  events: ReadonlyMap<string, ScheduleEvent>
}

const indexes = new WeakMap<Schedule, Index>()

/** The index of a schedule, which pages share as they share the schedule. */
export function indexOf(schedule: Schedule): Index {
  const known = indexes.get(schedule)
  if (known) return known
  const byId = <T extends { id: string }>(records: readonly T[]) =>
    new Map(records.map((record) => [record.id, record]))
  const index = {
    rooms: byId(schedule.rooms),
    tracks: byId(schedule.tracks),
    speakers: byId(schedule.speakers),
    events: byId(schedule.events),
  }
  indexes.set(schedule, index)
  return index
}

/** The colours of tracks, for their dots. Organizers choose them; the contract lets only `#rrggbb` through. */
export const trackStyle = (tracks: readonly Track[]): string =>
  tracks.map(({ id, color }) => (color === '' ? '' : `.track-${id}{--track:${color}}`)).join('')

/** An id in a path; the failure if it cannot be one. */
export function idIn<Id extends number>(params: Readonly<Record<string, string>>, failure: Failure): Id {
  const { id = '' } = params
  if (!/^[1-9]\d{0,15}$/.test(id)) throw failure
  return Number(id) as Id
}
