import { hourMs } from '../../../core/time-units.ts'
import type { CellReader } from './cell-reader.ts'
import { normalizeTimes } from './time-words.ts'
import type { Moment } from './written-dates.ts'

/** The times in a cell. */
export interface TimeRange {
  start: Moment | undefined
  end?: Moment
  /** Whether the cell says that the end is open: `ab 19:00`, `19:00 – open end`. */
  isOpen?: boolean
  /** Whether the end could also be an offset. */
  isLikeOffset?: boolean
}

type ReadMoment = CellReader['moment']

/** Characters of a cell with two dates and times. */
const maxLength = 120

const separators = /\s*[-~][-~\s]*|\s+(?:to|till|until|bis|à|a|hasta)\s+(?:las?\s+)?/gi
const openEnd = /^(?:open|offen|ende? offen|late|end|ende|close|fin|\?+|…|\.{3})?$/i
const openBehind = /\s*(?:\+|\bonwards?|\bopen[ -]?end(?:ed)?)$/i
const openBefore = /(?:^|[\s,])(?:from|ab|dès|à partir de|desde|a partir de)\s+(?:las?\s+)?\S+(?:\s+\S+)?$/i

/** Whether a cell of ends says that there is none. */
export function isOpenEnd(cell: string): boolean {
  if (cell === '' || cell.length > maxLength) return false
  const text = normalizeTimes(cell).replace(openBehind, '')
  return openEnd.test(text) || /^-+$/.test(text)
}

/** Whether a cell could be an ISO timestamp with an offset, but is rather a range: `2030-05-14 09:00-10:00`. */
export function isLikeOffset(cell: string): boolean {
  const [, start = '', end = ''] = /^\d{4}-\d\d-\d\d +(\d\d:\d\d) *-(\d\d:\d\d)$/.exec(cell) ?? []
  return end > start
}

/** Reads a cell with a start, and possibly an end, such as `09:00 – 10:30` or `9-10 Uhr`. */
export function readTimeRange(cell: string, read: ReadMoment): TimeRange {
  const isRange = isLikeOffset(cell)
  const whole = isRange ? undefined : read(cell)
  if (cell.length > maxLength) return { start: whole }
  if (whole?.time !== undefined) return { start: whole, isOpen: openBefore.test(cell) }
  const text = normalizeTimes(cell).replace(openBehind, ' -')
  for (const separator of [...text.matchAll(separators)].reverse()) {
    const start = readHour(text.slice(0, separator.index), read)
    if (start?.time === undefined) continue
    const behind = text.slice(separator.index + separator[0].length)
    if (openEnd.test(behind)) return { start, isOpen: true }
    const end = readHour(behind, read)
    if (end?.time !== undefined) return { start, end, isLikeOffset: isRange }
  }
  return { start: whole }
}

/** Reads a moment whose time may be a bare hour, which is not a time unless there is a second one. */
export const readHour = (text: string, read: ReadMoment): Moment | undefined =>
  read(text.replace(/(?<=^|[\s,])\d{1,2}$/, '$&:00'))

/**
 * Gives a time without AM or PM the mark of the other, as in `1:00 - 2:30 PM`, unless the session would then end before
 * it starts: `11:30 - 12:30 PM` begins in the morning.
 *
 * @returns the times of day; `undefined` if both have a mark, or neither
 */
export function shareHalf(start: Moment, end: Moment): { start: number; end: number } | undefined {
  if (start.time === undefined || end.time === undefined) return undefined
  if (start.half === 'none' && isMarked(end.half)) {
    const time = inHalf(start.time, end.half)
    return { start: time > end.time ? otherHalf(time) : time, end: end.time }
  }
  if (end.half === 'none' && isMarked(start.half)) {
    const time = inHalf(end.time, start.half)
    return { start: start.time, end: time < start.time ? otherHalf(time) : time }
  }
  return undefined
}

/** Whether a time without AM or PM would be of the night, but may be of the afternoon. */
export const mayBeAfternoon = ({ time, half }: Moment): boolean =>
  half === 'none' && time !== undefined && time < 12 * hourMs

const isMarked = (half: Moment['half']): boolean => half === 'am' || half === 'pm'

const inHalf = (time: number, half: Moment['half']): number =>
  (time % (12 * hourMs)) + (half === 'pm' ? 12 * hourMs : 0)

const otherHalf = (time: number): number => (time + 12 * hourMs) % (24 * hourMs)
