import { invalidField } from '../../core/failure.ts'
import { dayMs } from '../../core/time-units.ts'
import type { Activity } from '../program/events.ts'
import type { StoredEvent } from '../program/stored-events.ts'

/** When an event is, as editors write it; members that are left out stay as they are. */
interface GivenTimes {
  starts_at?: string
  ends_at?: string
  day?: string
}

/** When an event is, as it is stored. */
type Slot = Pick<StoredEvent['row'], 'date_from' | 'date_to' | 'program_date' | 'program_time'>

/**
 * The times of an event after an edit, which stay as they are if none is given. Where only the start is given, the length
 * stays, and so does the distance of the day from the date of the start: what begins after midnight may belong to the day
 * before.
 * @param before undefined for a new event
 * @throws Failure VALIDATION_FAILED if it would end before it starts
 */
export function readSlot({ starts_at, ends_at, day }: GivenTimes, before: Slot | undefined): Slot {
  if (before && [starts_at, ends_at, day].every((given) => given === undefined)) {
    const { date_from, date_to, program_date, program_time } = before
    return { date_from, date_to, program_date, program_time }
  }
  const date_from = starts_at === undefined ? (before?.date_from ?? null) : toStored(starts_at)
  const length = distanceOf(before?.date_from, before?.date_to, toMs)
  const sameLength = date_from && fromMs(toMs(date_from) + length)
  const date_to =
    ends_at === undefined ? (starts_at === undefined ? (before?.date_to ?? null) : sameLength) : toStored(ends_at)
  if (date_to !== null && (date_from === null || date_to < date_from))
    throw invalidField('ends_at', 'NOT_A_TIME', 'ends_at must not be before starts_at.')
  const program_date = day || (date_from === null ? '' : dayOf(date_from, before))
  return { date_from, date_to, program_date, program_time: date_from?.slice(11) ?? '' }
}

/** The day of the conference for a start: as many days before its date as it was. */
function dayOf(date_from: string, before: Slot | undefined): string {
  const isDayBefore = before?.date_from && before.program_date && before.program_date < before.date_from.slice(0, 10)
  const distance = isDayBefore ? distanceOf(before.program_date, before.date_from, dayStart) : 0
  return fromMs(dayStart(date_from) - distance).slice(0, 10)
}

const dayStart = (time: string): number => Date.parse(time.slice(0, 10))

/** @param time as given: with or without seconds; `''` for none */
const toStored = (time: string): string | null =>
  time === '' ? null : `${time.slice(0, 10)} ${time.slice(11)}${time.length === 16 ? ':00' : ''}`

const toMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`)

/** Milliseconds between two stored times; 0 unless both are times. */
const distanceOf = (from: string | null | undefined, to: string | null | undefined, read: (time: string) => number) =>
  read(to ?? '') - read(from ?? '') || 0

const fromMs = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/**
 * The activities of an event after an edit: of one without a programme of its own, the event itself, if it has a time;
 * those of a programme move with the start.
 */
export function moveActivities(
  activities: readonly Activity[],
  before: (Slot & { title: string }) | undefined,
  { title, date_from, program_date, program_time }: Slot & { title: string },
): Activity[] {
  if (activities.length <= 1) return program_date === '' ? [] : [{ date: program_date, time: program_time, title }]
  const moved = distanceOf(before?.date_from, date_from, toMs)
  const days = distanceOf(before?.program_date, program_date, dayStart)
  return activities.map((activity) => {
    const isEvent = activity.title === before?.title && activity.time === before.program_time
    const part = { ...activity, title: isEvent ? title : activity.title }
    const isOtherDay = moved % dayMs === 0
    const at = isOtherDay ? dayStart(activity.date) + days : toMs(`${activity.date} ${activity.time}`) + moved
    if (Number.isNaN(at)) return part
    const [date = '', time = ''] = fromMs(at).split(' ')
    return { ...part, date, ...(!isOtherDay && { time }) }
  })
}
