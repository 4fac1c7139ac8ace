import { formatDifference } from '../../core/clean-text.ts'

/** The columns of rooms, tracks, speakers and the conference, with their names in a plan. */
const columnLabels: Readonly<Record<string, string>> = {
  title: 'title',
  acronym: 'acronym',
  url: 'page',
  time_zone: 'time zone',
  first_day: 'first day',
  last_day: 'last day',
  slot_minutes: 'minutes of a slot',
  hue: 'accent colour',
  logo: 'logo',
  name: 'name',
  building: 'building',
  address: 'address',
  capacity: 'capacity',
  description: 'description',
  color: 'colour',
  position: 'position',
  company: 'company',
  biography: 'biography',
  photo: 'photo',
  links: 'links',
}

/** Shown without their values. */
const longColumns: ReadonlySet<string> = new Set(['description', 'biography', 'photo', 'links', 'logo'])

/** Describes what changes in a room, track, speaker or the conference, in the organizer's words. */
export function describeRecordChanges(
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): string[] {
  return columns.flatMap((column) => {
    const label = columnLabels[column]
    if (label === undefined) return []
    if (longColumns.has(column)) return [label]
    // 0 is unknown, as '' is, except for a hue, which is red.
    const shown = (value: unknown) => (column === 'hue' ? String(value ?? '') : String(value || ''))
    return [formatDifference(label, shown(from[column]), shown(to[column]))]
  })
}
