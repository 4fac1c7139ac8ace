import type { Row } from '../../../storage/db/tables.ts'
import type { Activity, NewEvent } from '../../program/events.ts'
import { joinDistinct } from '../sessions/speakers.ts'
import type { SourceSession } from '../source.ts'
import { truncate } from '../text/clean.ts'

export type EventRow = Row<'event'>

/** The day and time shown of an event: `program_date`, `program_time`. */
export const shownFields = ['program_date', 'program_time'] as const
export type ShownField = (typeof shownFields)[number]

/** The day or time shown of an event with this start; `undefined` if it has none. */
export const shownOfStart = (field: ShownField, start: string | null | undefined): string | undefined =>
  start?.split(' ')[shownFields.indexOf(field)]

/** Whether the day or time shown is that of the start; that of a session after midnight may be the day before. */
export const isOfStart = (field: ShownField, { date_from, [field]: shown }: Partial<EventRow>): boolean =>
  shown === shownOfStart(field, date_from)

/** The event for a session: the room becomes its location, the speakers one line. */
export const toEvent = (session: SourceSession) =>
  ({
    title: session.title,
    date_from: session.startsAt,
    date_to: session.endsAt,
    program_date: session.day,
    program_time: session.startsAt.slice(11),
    location_name: session.room,
    speaker: joinDistinct(session.speakers.map((speaker) => speaker.name)),
    position: joinDistinct(session.speakers.map((speaker) => speaker.position)),
    company: joinDistinct(session.speakers.map((speaker) => speaker.company)),
    description: session.description,
    details: session.details,
    is_cancelled: session.cancelled ? 1 : 0,
  }) satisfies NewEvent

/** The schedule of a session's event: one activity, the session itself, on its conference day. */
export const toActivities = ({ day, startsAt, title }: SourceSession): Activity[] => [
  { date: day, time: startsAt.slice(11), title },
]

/** Leaves room for a number within the 255 characters of a key. */
const maxNameLength = 240

const keyNameOf = (...parts: string[]): string =>
  truncate(parts.filter(Boolean).join(' / ').toLowerCase(), maxNameLength)

/** Whether an event was imported without an id, so that its key was generated from its title. */
export function hasGeneratedKey({ source_key, title }: Pick<EventRow, 'source_key' | 'title'>): boolean {
  const start = keyNameOf(title)
  return source_key === start || source_key.startsWith(`${start} `)
}

/**
 * Creates a function that generates the key of a session without an id from its title and first speaker, with a number
 * if that key is taken. The key only has to be unique: such a session is recognized by its values (`matchSessions`).
 * @param taken the keys in use; generated ones are added
 */
export function createKeyGenerator(taken: Set<string>): (title: string, speaker: string) => string {
  const lastNumbers = new Map<string, number>()
  return (title, speaker) => {
    const name = keyNameOf(title, speaker)
    let number = lastNumbers.get(name) ?? 0
    let key: string
    do {
      number += 1
      key = number === 1 ? name : `${name} (${number})`
    } while (taken.has(key))
    lastNumbers.set(name, number)
    taken.add(key)
    return key
  }
}
