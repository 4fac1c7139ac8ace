import { unsetTimestamp } from '../contract/envelope.ts'
import { memoize } from './core/memoize.ts'

/** Where the time comes from, in milliseconds since 1970; tests bring their own. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

const quarterHour = 15 * 60 * 1000

const mostRemembered = 10_000

/**
 * Makes the printer of moments: `YYYY-MM-DD HH:MM:SS` in `timeZone`, all zeros for 0.
 * Offsets from UTC change at quarter hours at the finest, so each is asked for once and the rest is arithmetic, as a page
 * prints a hundred moments; `Intl` alone would cost more than the rest of a page.
 * @param timeZone an IANA name
 */
export function timestampPrinter(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetOfSlot = memoize(mostRemembered, (slot: number) =>
    parseOffset(format.formatToParts(slot * quarterHour).find((part) => part.type === 'timeZoneName')?.value ?? ''),
  )
  const dateOf = memoize(mostRemembered, (day: number) => new Date(day * dayMs).toISOString().slice(0, 10))
  return (ms) => {
    if (ms === 0) return unsetTimestamp
    const local = ms + offsetOfSlot(Math.floor(ms / quarterHour))
    const day = Math.floor(local / dayMs)
    const seconds = Math.floor((local - day * dayMs) / 1000)
    return `${dateOf(day)} ${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`
  }
}

const dayMs = 24 * 60 * 60 * 1000

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const two = (number: number): string => twoDigits[Math.floor(number)] ?? ''

/** `GMT+05:30` to milliseconds; `GMT` alone is 0. */
function parseOffset(name: string): number {
  const match = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name)
  if (!match) return 0
  const [, sign, hours, minutes, seconds = '0'] = match
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}
