import type { Calendar, CalendarComponent } from './icalendar-lines.ts'
import { textOf } from './icalendar-property.ts'
import type { SessionList } from './session-list.ts'

/**
 * The time zone for times in UTC: that of the calendar, else the one in which most events start; `''` if there is none.
 */
export function zoneOf(
  list: SessionList,
  { lines, components }: Calendar,
  events: readonly CalendarComponent[],
): string {
  const valueIn = (name: string) => textOf(lines.find((each) => each.name === name)?.text)
  const declared = components.filter(({ name }) => name === 'VTIMEZONE')
  const starts = events.flatMap(({ lines }) => lines.find(({ name }) => name === 'DTSTART') ?? [])
  const ids = starts.flatMap(({ line, text }) => {
    const id = /^[^:]*;TZID="?([^":;]+)/i.exec(text)?.[1]
    return id === undefined ? [] : [{ line, id: simpleZone(id) }]
  })
  const byZone = [...Map.groupBy(ids, ({ id }) => id)].sort(([, a], [, b]) => b.length - a.length)
  const [only, ...others] = declared.map(({ lines }) => textOf(lines.find(({ name }) => name === 'TZID')?.text))
  const zone =
    simpleZone(valueIn('X-WR-TIMEZONE')) ||
    byZone[0]?.[0] ||
    simpleZone((others.length === 0 && only) || valueIn('VTIMEZONE') || '')
  const utc = starts.some(({ text }) => /Z\s*$/i.test(text)) && zone !== '' ? [zone] : []
  const [main, ...more] = new Set([...utc, ...byZone.map(([name]) => name)])
  if (more.length > 0) {
    const names = [main, ...more].slice(0, 5).join(', ')
    const line = ids.find(({ id }) => id !== main)?.line ?? 1
    list.warn(line, `Times are in several time zones (${names}); each was used as written.`)
  }
  return zone
}

/** Some programs put their own name before the zone: `/freeassociation.sourceforge.net/Europe/Berlin`. */
const simpleZone = (id: string): string => /^\/.*?\/([A-Z].*)$/.exec(id)?.[1] ?? id.trim()
