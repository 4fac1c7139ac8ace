import { quote } from './clean.ts'
import { orderGivenBy } from './date-hints.ts'
import { dayMs, formatLongDay, type Wall } from './wall-clock.ts'
import { type DayOrder, dayOrders, readMoment } from './written-dates.ts'

/** How the dates of a file are read. */
interface DayOrderDecision {
  order: DayOrder
  /** A sentence for the organizer, with the reason; absent if every date of the file can be read in one way only. */
  remark?: string
}

/**
 * Decides for a whole file whether 03/04/2025 is the third of April or the fourth of March: as the organizer says; as the
 * file says; by dates that fit only one order; or by the shorter program. If all of this leaves it open, the day is first.
 *
 * @param headings of the columns with dates
 * @param cells all cells that may contain a date, or an instruction about it
 * @param given the order that the organizer chose
 */
export function decideDayOrder(
  headings: readonly string[],
  cells: readonly string[],
  given: DayOrder | undefined,
): DayOrderDecision {
  const distinct = [...new Set(cells)]
  const hint = [...headings, ...distinct].find((text) => orderGivenBy(text) !== undefined)
  const stated = given ?? (hint === undefined ? undefined : orderGivenBy(hint))
  const unclear = distinct.filter((cell) => ambiguousForm.test(cell))
  if (unclear.length === 0) return { order: stated ?? 'day-first' }
  const readings = dayOrders
    .map((order) => readAll(distinct, unclear, order))
    .sort((a, b) => a.misfits.length - b.misfits.length || a.span - b.span)
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

const ambiguousForm = /(?<!\d)\d{1,2}([/-])\d{1,2}\1(?:\d{4}|\d\d)(?!\d)/

/** The dates of a file in one order. */
interface Reading {
  order: DayOrder
  /** The cells that are no date in this order. */
  misfits: string[]
  /** From the first to the last date, in milliseconds. */
  span: number
}

function readAll(cells: readonly string[], unclear: readonly string[], order: DayOrder): Reading {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const cell of cells) {
    const date = dateIn(cell, order)
    if (date === undefined) continue
    first = Math.min(first, date)
    last = Math.max(last, date)
  }
  return { order, misfits: unclear.filter((cell) => dateIn(cell, order) === undefined), span: last - first }
}

const dateIn = (cell: string, order: DayOrder): Wall | undefined => readMoment(cell, order)?.date

function compare(chosen: Reading | undefined, other: Reading | undefined): string {
  if (!chosen || !other) return ''
  const misfit = other.misfits[0]
  if (misfit !== undefined && other.misfits.length > chosen.misfits.length)
    return `because ${quote(misfit)} can only be read so.`
  const [days, otherDays] = [formatDays(chosen.span), formatDays(other.span)]
  const why =
    days === otherDays
      ? 'but nothing in the file says so.'
      : `because the file then spans ${days} instead of ${otherDays}.`
  return `${why} If that is wrong, add --dates ${other.order}.`
}

const formatDays = (span: number): string => {
  const days = span / dayMs + 1
  return days === 1 ? '1 day' : `${days.toLocaleString('en')} days`
}

const toWords = (order: DayOrder): string => order.replace('-', ' ')
