import { text } from '../../../web/text/en.ts'
import { createCache } from '../../core/create-cache.ts'
import { type Html, html } from './html.ts'

/** `YYYY-MM-DD` as people read it. In UTC every date exists. */
const formatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(`${text.language}-GB`, { ...options, timeZone: 'UTC' })
  return (date: string): string => format.format(Date.parse(`${date}T00:00:00Z`))
}

/** `Sunday 28 December` */
export const longDay = formatter({ weekday: 'long', day: 'numeric', month: 'long' })
/** `Sunday 28 December 2025` */
export const longDate = formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
/** `Sun` */
export const shortWeekday = formatter({ weekday: 'short' })
/** `28 Dec` */
export const shortDay = formatter({ day: 'numeric', month: 'short' })

/** `09:30` of a time in RFC 3339, as clocks at the conference show it. */
export const clockTime = (time: string): string => time.slice(11, 16)

/** Its date there. */
export const dateOf = (time: string): string => time.slice(0, 10)

/** `09:30–10:15`; the end is left out where it is not known. */
export function span({ starts_at, ends_at }: { starts_at: string; ends_at: string | null }): Html {
  const start = html`<time datetime="${starts_at}">${clockTime(starts_at)}</time>`
  return ends_at === null || ends_at === starts_at
    ? start
    : html`${start}–<time datetime="${ends_at}">${clockTime(ends_at)}</time>`
}

/** `28 Dec, 09:30` */
export const datedClock = (time: string): string => `${shortDay(dateOf(time))}, ${clockTime(time)}`

/** `28 Dec, 09:30–10:15`: where no heading names the day. */
export const datedSpan = (times: { starts_at: string; ends_at: string | null }): Html =>
  html`${shortDay(dateOf(times.starts_at))}, ${span(times)}`

/** Creates a function that writes an instant as clocks in a zone show it: `28 Dec 2025, 14:05`. */
export const momentFormatter = (timeZone: string): ((time: string) => string) => moments.memo(timeZone)

const moments = createCache(10, (timeZone: string) => {
  const format = new Intl.DateTimeFormat(`${text.language}-GB`, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return (time: string): string => format.format(Date.parse(time))
})

const range = new Intl.DateTimeFormat(`${text.language}-GB`, { dateStyle: 'long', timeZone: 'UTC' })

/** `27–30 December 2025`, or `27 December 2025` for one day. */
export const dateRange = (first: string, last: string): string =>
  range.formatRange(new Date(`${first}T00:00Z`), new Date(`${last}T00:00Z`))
