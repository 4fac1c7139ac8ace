import { formatLongDay } from '../server/import/formats/wall-clock.ts'
import type { ParsedProgram, SourceSession } from '../server/import/source.ts'

/** Describes a program at the head of its plan, where a wrong reading shows: days, rooms, dates, and missing ids. */
export function describeProgram({ sessions, dateReading }: ParsedProgram): string[] {
  return [
    `days: ${describeDays(sessions)}`,
    `rooms: ${new Set(sessions.map(({ room }) => room).filter(Boolean)).size}`,
    ...(dateReading === undefined ? [] : [dateReading]),
    ...describeMissingIds(sessions),
  ]
}

function describeDays(sessions: readonly SourceSession[]): string {
  const days = [...new Set(sessions.map(({ day }) => day))].sort()
  const [first = '', last = ''] = [days.at(0), days.at(-1)]
  return days.length === 1 ? `1, ${toLongDay(first)}` : `${days.length}, from ${toLongDay(first)} to ${toLongDay(last)}`
}

const toLongDay = (day: string): string => formatLongDay(Date.parse(`${day}T00:00:00Z`))

function describeMissingIds(sessions: readonly SourceSession[]): string[] {
  const count = sessions.filter(({ key }) => key === '').length
  if (count === 0) return []
  return [
    `sessions without an id: ${count}. They are recognized by title, speakers, start and room; with a column “ID”, every ` +
      'correction finds its session.',
  ]
}
