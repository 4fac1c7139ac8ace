import { quote } from '../../../core/clean-text.ts'
import { dayMs } from '../../../core/time-units.ts'
import { readTimeRange } from './time-range.ts'
import { formatLongDay, type Wall } from './wall-clock.ts'
import { type DayOrder, dayOrders, readMoment } from './written-dates.ts'

/** How the dates of a file are read. */
interface DayOrderDecision {
  order: DayOrder
  /** A sentence for the organizer, with the reason; absent if every date of the file can be read in one way only. */
  remark?: string
}

/**
 * Decides for a whole file whether 03/04/2025 is the third of April or the fourth of March: as the organizer says; as
 * the file says; by dates that fit only one order; by the shorter program, first of the file alone, then with the days
 * of the stored program. If all of this leaves it open, the day is first.
 *
 * @param headings of the columns with dates
 * @param cells all cells that may contain a date, or an instruction about it
 * @param given the order that the organizer chose
 * @param storedDays the days of the program that the file may be another version of
 */
export function decideDayOrder(
  headings: readonly string[],
  cells: readonly string[],
  given: DayOrder | undefined,
  storedDays: readonly Wall[] = [],
): DayOrderDecision {
  const distinct = [...new Set(cells)]
  const hint = [...headings, ...distinct].find((text) => orderGivenBy(text) !== undefined)
  const stated = given ?? (hint === undefined ? undefined : orderGivenBy(hint))
  const unclear = distinct.filter((cell) => ambiguousForm.test(cell))
  if (unclear.length === 0) return { order: stated ?? 'day-first' }
  const readings = dayOrders
    .map((order) => readAll(distinct, unclear, order, storedDays))
    .sort((a, b) => a.misfits.length - b.misfits.length || a.span - b.span || a.spanWithStored - b.spanWithStored)
  const order = stated ?? readings[0]?.order ?? 'day-first'
  const plausible = readings.filter((reading) => order === 'year-first' || reading.order !== 'year-first')
  const example = unclear.find(
    (cell) => new Set(plausible.flatMap((reading) => dateIn(cell, reading.order) ?? [])).size > 1,
  )
  if (example === undefined) return { order }
  const reason = given
    ? 'as --dates says.'
    : hint !== undefined
      ? `as ${quote(hint)} says.`
      : compare(
          readings[0],
          plausible.find((reading) => reading.order !== order),
        )
  const day = formatLongDay(dateIn(example, order) ?? 0)
  return { order, remark: `Dates such as ${quote(example)} are read ${toWords(order)} (${day}), ${reason}` }
}

const ambiguousForm = /(?<!\d)\d{1,2}([/\p{Pd}\u2212])\d{1,2}\1(?:\d{4}|\d\d)(?!\d)/u

/** The dates of a file in one order. */
interface Reading {
  order: DayOrder
  /** The cells that are not dates in this order. */
  misfits: string[]
  /** From the first to the last date, in milliseconds. */
  span: number
  /** Likewise, of these dates and those of the stored program. */
  spanWithStored: number
}

function readAll(
  cells: readonly string[],
  unclear: readonly string[],
  order: DayOrder,
  storedDays: readonly Wall[],
): Reading {
  const dates = cells.flatMap((cell) => dateIn(cell, order) ?? [])
  return {
    order,
    misfits: unclear.filter((cell) => dateIn(cell, order) === undefined),
    span: spanOf(dates),
    spanWithStored: spanOf([...dates, ...storedDays]),
  }
}

function spanOf(dates: readonly Wall[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const date of dates) {
    first = Math.min(first, date)
    last = Math.max(last, date)
  }
  return last - first
}

const dateIn = (cell: string, order: DayOrder): Wall | undefined =>
  readTimeRange(cell, (text) => readMoment(text, order)).start?.date

function compare(chosen: Reading | undefined, other: Reading | undefined): string {
  if (!chosen || !other) return ''
  const misfit = other.misfits[0]
  if (misfit !== undefined && other.misfits.length > chosen.misfits.length)
    return `because ${quote(misfit)} can only be read so.`
  return `${describeSpans(chosen, other)} If that is wrong, add --dates ${other.order}.`
}

function describeSpans(chosen: Reading, other: Reading): string {
  const instead = (span: number, otherSpan: number) => `${formatDays(span)} instead of ${formatDays(otherSpan)}.`
  if (chosen.span !== other.span) return `because the file then spans ${instead(chosen.span, other.span)}`
  if (chosen.spanWithStored === other.spanWithStored) return 'but nothing in the file says so.'
  const spans = instead(chosen.spanWithStored, other.spanWithStored)
  return `because the file and the stored program together then span ${spans}`
}

const formatDays = (span: number): string => {
  const days = span / dayMs + 1
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`
}

const toWords = (order: DayOrder): string => order.replace('-', ' ')

const day = '(?:dd?|tt?|jj?|day|tag|jour)'
const month = '(?:mm?|month|monat|mois)'
const year = '(?:y{2,4}|j{4}|a{2,4}|year|jahr|annee|année)'
const separator = String.raw`[\s./-]+`

const patterns: readonly (readonly [DayOrder, RegExp])[] = (
  [
    ['day-first', [day, month, year]],
    ['month-first', [month, day, year]],
    ['year-first', [year, month, day]],
  ] as const
).map(([order, parts]) => [order, new RegExp(String.raw`(?<!\p{L})${parts.join(separator)}(?!\p{L})`, 'iu')])

/** The order that a heading or an instruction gives, such as `Date (MM/DD/YYYY)`, `TT.MM.JJJJ` or `JJ/MM/AAAA`. */
const orderGivenBy = (text: string): DayOrder | undefined =>
  text.length > 200 ? undefined : patterns.find(([, pattern]) => pattern.test(text))?.[0]
