import { createCache } from '../../../core/create-cache.ts'
import { dayMs, hourMs } from '../../../core/time-units.ts'
import { hasOffset, isUtc, type Wall } from './wall-clock.ts'

// Some months, and a weekday, look like CET.
const zoneAtEnd =
  /(?<=\d|[AaPp]\.?\s?[Mm]\.?|\b[Uu]hr|\dh)\s*\(?((?:UTC|GMT)(?:\s?[+-]\s?\d{1,2}(?::?\d\d)?)?|(?!AOUT|OCT|SEPT|SAT)[A-Z]{1,4}T|MES?Z|Z|\+\d\d:?\d\d|(?<=\s)-\d{4}|[A-Z][a-z]+\/[\w/]+|(?:[A-Z][a-z]+ ){1,2}[Tt]ime|local time|Ortszeit)\)?(?:\s*\((?:UTC|GMT)[^()]*\))?$/

const noon = /(?:\b12(?:[:.]00)?\s*(?:uhr\s*)?)?(?<!\p{L})(?:noon|midday|mittags?|midi|mediod[ií]a)(?!\p{L})/iu
const midnight =
  /(?:\b(?:12|24|0?0)(?:[:.]00)?\s*(?:uhr\s*)?)?(?<!\p{L})(?:midnight|mitternachts?|minuit|medianoche)(?!\p{L})/iu

/**
 * Rewrites a cell so that its times can be read: with hyphens for all dashes, `12:00` for noon, `24:00` for
 * midnight, and without a time zone at the end.
 */
export const normalizeTimes = (cell: string): string =>
  withHyphens(cell).replace(midnight, '24:00').replace(noon, '12:00').replace(zoneAtEnd, '')

/** A cell with hyphens for all dashes and the minus sign, and narrow forms of wide digits and colons. */
export const withHyphens = (cell: string): string =>
  cell
    .normalize('NFKC')
    .trim()
    .replace(/[\p{Pd}\u2212]/gu, '-')

/** Whether a cell has the word midnight, which may be at the beginning of the day or at its end. */
export const hasMidnight = (cell: string): boolean => midnight.test(cell)

/** The time zone at the end of a cell that is not an ISO timestamp, such as `CET`. */
export function zoneIn(cell: string): string | undefined {
  if (isUtc(cell) || hasOffset(cell)) return undefined
  const written = zoneAtEnd.exec(withHyphens(cell))?.[1]
  return written === undefined || /^(?:local time|Ortszeit)$/.test(written) ? undefined : written
}

const locales = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en-NZ', 'en-ZA', 'de']
const styles = ['short', 'shortOffset', 'shortGeneric'] as const

/** What writes the names of a zone, each in its own way. To make them takes longer than to use them. */
const formatters = createCache(10, (timeZone: string) =>
  locales.flatMap((locale) =>
    styles.map((timeZoneName) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName })),
  ),
)

/** The names of a zone on a day, by `zone noon`. */
const names = createCache(1_000, (key: string) => {
  const [timeZone = '', at = ''] = key.split(' ')
  const written = formatters
    .memo(timeZone)
    .map((formatter) => formatter.formatToParts(Number(at)).find(({ type }) => type === 'timeZoneName')?.value ?? '')
  return new Set([timeZone, ...written].map(plainName))
})

/** `GMT+1` for `UTC+01:00`, `+0100`. */
const plainName = (name: string): string =>
  name
    .toUpperCase()
    .replace(/\s/g, '')
    .replace(/^(?:UTC|GMT)?([+-])0?(\d{1,2})(?::?00)?$/, 'GMT$1$2')
    .replace(/^(?:UTC|Z|GMT[+-]0)$/, 'GMT')

/** Whether a time zone as written, such as `CET`, is a name of the IANA zone on that day. */
export const isNameOf = (written: string, timeZone: string, at: Wall): boolean =>
  names.memo(`${timeZone} ${at - (at % dayMs) + 12 * hourMs}`).has(plainName(written))
