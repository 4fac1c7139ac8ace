import type { Calendar, CalendarComponent } from './icalendar-lines.ts'
import { textOf } from './icalendar-property.ts'
import type { SessionList } from './session-list.ts'

/** The time zone of the calendar, else the one in which most events start; `''` if there is none. */
export function zoneOf(
  list: SessionList,
  { lines, components }: Calendar,
  events: readonly CalendarComponent[],
): string {
  const valueIn = (name: string) => textOf(lines.find((each) => each.name === name)?.text)
  const declared = components.filter(({ name }) => name === 'VTIMEZONE')
  const ids = events.flatMap((event) => {
    const start = event.lines.find(({ name }) => name === 'DTSTART')
    const id = /^[^:]*;TZID="?([^":;]+)/i.exec(start?.text ?? '')?.[1]
    return start && id !== undefined ? [{ line: start.line, id: simpleZone(id) }] : []
  })
  const byZone = [...Map.groupBy(ids, ({ id }) => id)].sort(([, a], [, b]) => b.length - a.length)
  const [first, second] = byZone
  if (second) {
    const names = byZone.map(([name]) => name).slice(0, 5)
    list.warn(
      second[1][0]?.line ?? 1,
      `Times are in several time zones (${names.join(', ')}); each was used as written.`,
    )
  }
  const [only, ...others] = declared.map(({ lines }) => textOf(lines.find(({ name }) => name === 'TZID')?.text))
  return (
    first?.[0] ?? simpleZone(valueIn('X-WR-TIMEZONE') || (others.length === 0 && only) || valueIn('VTIMEZONE') || '')
  )
}

/** Some programs put their own name before the zone: `/freeassociation.sourceforge.net/Europe/Berlin`. */
const simpleZone = (id: string): string => /^\/.*?\/([A-Z].*)$/.exec(id)?.[1] ?? id.trim()
