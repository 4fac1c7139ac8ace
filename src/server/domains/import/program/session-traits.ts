import type { EventRow } from './session-event.ts'

/** The values of an event that come from its source. */
export const sourceColumns = [
  ...(['title', 'date_from', 'date_to', 'program_date', 'program_time', 'location_name'] as const),
  ...(['speaker', 'position', 'company', 'description', 'details', 'is_cancelled'] as const),
] as const satisfies readonly (keyof EventRow)[]

export type SourceValues = Pick<EventRow, (typeof sourceColumns)[number]>

/** Equal for events with the same values. */
export const fingerprint = (values: SourceValues): string =>
  JSON.stringify(sourceColumns.map((column) => values[column]))

/** The values by which a session without an id is recognized, without regard to case. */
export interface Traits {
  title: string
  speakers: string
  start: string
  day: string
  room: string
}

export const traitsOf = ({ title, speaker, date_from, location_name }: SourceValues): Traits => ({
  title: title.toLowerCase(),
  speakers: speaker.toLowerCase(),
  start: date_from ?? '',
  day: (date_from ?? '').slice(0, 10),
  room: location_name.toLowerCase(),
})
