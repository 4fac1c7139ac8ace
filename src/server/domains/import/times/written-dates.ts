import { dayMs, hourMs, minuteMs } from '../../../core/time-units.ts'
import { normalizeTimes } from './time-words.ts'
import { createTimestampReader, type Wall, wallOf } from './wall-clock.ts'

/** The orders of day, month and year in dates with slashes or hyphens, such as 03/04/2025, the likeliest first. */
export const dayOrders = ['day-first', 'month-first', 'year-first'] as const
export type DayOrder = (typeof dayOrders)[number]

/** The content of a cell: a date (its midnight), a time of day (ms after midnight), or both. */
export interface Moment {
  date?: Wall
  time?: number
  /** `none` for a time of 1 to 12 o'clock that may be of either half of the day; absent for a time of 24 hours. */
  half?: 'am' | 'pm' | 'none'
}

// Seconds need colons: 15.05.23 is a date. A bare hour needs a word after it, so that a number in a date is not a time.
const timeAtEnd =
  /(?:^|[\sT,]|\b(?:at|um|from|ab|von|(?:de|desde|a partir de)(?: las?)?|a las?)\b|(?:^|\s)(?:à|dès|à partir de)\s)\s*(?:(\d{1,2})(?:[:.]|\s?(?:h|uhr)\s?)(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*([ap]\.?\s?m\.?)?|(\d{1,2})\s*([ap]\.?\s?m\.?)|(\d{1,2})(?=\s*(?:uhr|h)$))\s*(?:uhr|h)?$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const foreignMonths: Record<string, number> = {
  mai: 5,
  okt: 10,
  dez: 12,
  fev: 2,
  avr: 4,
  aou: 8,
  mrz: 3,
  ene: 1,
  abr: 4,
  ago: 8,
  dic: 12,
}
const readIsoTimestamp = createTimestampReader('')

/**
 * Reads a cell with a date, a time or both: `2025-12-27T10:30`, `27.12.2025 9.30`, `12/27/2025 9:00 AM`, `27 Dec 2025`,
 * `27-Dec-25`, `Sat, May 3, 2025 at 10:00`, `09:00`, `9 PM`, `noon`, `19:00 CET`. A time zone is ignored.
 *
 * @returns `undefined` if any part of the cell cannot be parsed
 */
export function readMoment(cell: string, order: DayOrder): Moment | undefined {
  if (cell.length > 60) return undefined
  // As written: with another dash, the end of a range is no offset.
  const stamp = readIsoTimestamp(cell)
  if (stamp !== undefined) return { date: stamp - (stamp % dayMs), time: stamp % dayMs }
  const text = normalizeTimes(cell)
  const match = timeAtEnd.exec(text)
  const time = match ? readTime(match) : undefined
  if (match && time === undefined) return undefined
  const rest = (match ? text.slice(0, match.index) : text).replace(/[\s,;-]+$/, '')
  if (rest === '') return time
  const date = readDate(rest, order)
  return date === undefined ? undefined : { date, ...time }
}

function readTime([, hour, minute, second, meridiemPart, bareHour, bareMeridiem, hourBeforeWord]: RegExpExecArray):
  | Pick<Moment, 'time' | 'half'>
  | undefined {
  const meridiem = (meridiemPart ?? bareMeridiem ?? '').charAt(0).toLowerCase()
  const hours = Number(hour ?? bareHour ?? hourBeforeWord)
  const time = Number(minute ?? 0) * minuteMs + Number(second ?? 0) * 1_000
  if (Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined
  if (meridiem === '') {
    if (hours > 24 || (hours === 24 && time > 0)) return undefined
    return { time: hours * hourMs + time, ...(hours >= 1 && hours <= 12 && { half: 'none' }) }
  }
  if (hours < 1 || hours > 12) return undefined
  const isPm = meridiem === 'p'
  return { time: ((hours % 12) + (isPm ? 12 : 0)) * hourMs + time, half: isPm ? 'pm' : 'am' }
}

const numeric = /^(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d\d)$/

function readDate(written: string, order: DayOrder): Wall | undefined {
  // A weekday before the date is redundant.
  const text = written.replace(/^\p{L}{2,}\.?,?\s+(?=\d{1,4}[./-])/u, '')
  const match = numeric.exec(text)
  if (!match) return readWordedDate(text)
  const [first, second, last] = [Number(match[1]), Number(match[3]), Number(match[4])]
  if (match[1]?.length === 4) return wallOf(first, second, last)
  const year = last < 100 ? 2000 + last : last
  if (match[2] === '.' || order === 'day-first') return wallOf(year, second, first)
  if (order === 'month-first') return wallOf(year, first, second)
  return last < 100 ? wallOf(2000 + first, second, last) : undefined
}

export function monthOf(word: string): number | undefined {
  const plain = word
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
  if (/^juil/.test(plain)) return 7
  if (/^juin/.test(plain)) return 6
  const start = plain.slice(0, 3)
  return foreignMonths[start] ?? (months.indexOf(start) + 1 || undefined)
}

/** `27 December 2025`, `Dec 27, 2025`, `27-Dec-25`, `1. Mai 2025`, optionally after a weekday. */
function readWordedDate(text: string): Wall | undefined {
  const words =
    text.match(/\p{L}[\p{L}\p{M}]*/gu)?.filter((word) => !/^(?:st|nd|rd|th|er|de|den|the|of)$/i.test(word)) ?? []
  const numbers = text.match(/\d+/g) ?? []
  const month = words.map(monthOf).findLast((each) => each !== undefined)
  const [day, year] = numbers
  if (words.length > 2 || numbers.length !== 2 || month === undefined || year === undefined) return undefined
  if (year.length === 4) return wallOf(Number(year), month, Number(day))
  return /\d(?:\.|st|nd|rd|th)?([-\s./]?)\p{L}+\.?\1\d\d$/u.test(text)
    ? wallOf(2000 + Number(year), month, Number(day))
    : undefined
}
