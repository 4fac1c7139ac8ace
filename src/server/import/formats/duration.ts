import { dayMs, hourMs, minuteMs } from './wall-clock.ts'

const clock = /^(\d{1,3}):(\d\d)(?::(\d\d))?$/
const isoDuration = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i
const minutes = /^(\d+(?:[.,]\d+)?)\s*(?:m|mins?|minutes?|minuten|′|')?\.?$/i
const hours =
  /^(\d+(?:[.,]\d+)?)\s*(?:h|hrs?|hours?|std|stunden?|heures?)\.?(?:\s*(\d+)\s*(?:m|mins?|minutes?|minuten)?\.?)?$/i

const decimal = (text: string | undefined) => Number((text ?? '0').replace(',', '.'))

function measure(text: string): number | undefined {
  const colons = clock.exec(text)
  if (colons) return Number(colons[1]) * hourMs + Number(colons[2]) * minuteMs + Number(colons[3] ?? 0) * 1_000
  const plain = minutes.exec(text)
  if (plain) return decimal(plain[1]) * minuteMs
  const worded = hours.exec(text)
  if (worded) return decimal(worded[1]) * hourMs + decimal(worded[2]) * minuteMs
  const formal = isoDuration.exec(text)
  if (!formal || text.length < 3) return undefined
  const [, days, hourPart, minutePart, seconds] = formal.map(decimal)
  return (days ?? 0) * dayMs + (hourPart ?? 0) * hourMs + (minutePart ?? 0) * minuteMs + (seconds ?? 0) * 1_000
}

/**
 * How long something takes.
 *
 * @param written `00:30`, `1:30:00`, `30`, `30 min`, `1h 30m`, `1.5 hours` or `PT30M`; a bare number is minutes
 * @returns whole milliseconds, at most a year; `undefined` when it is none of these
 */
export function readDuration(written: string): number | undefined {
  const text = written.trim()
  const length = text.length > 40 ? undefined : measure(text)
  return length === undefined || !(length <= 366 * dayMs) ? undefined : Math.round(length / 1_000) * 1_000
}
