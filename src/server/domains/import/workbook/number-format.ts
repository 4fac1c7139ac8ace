import { dayMs } from '../../../core/time-units.ts'

// A workbook has dates, times and durations as numbers of days, which are told by the number format of their cell
// (ECMA-376-1, 18.8.30 and 18.17.4).

/** The kind of a number, by the format of its cell. */
export type NumberKind = 'number' | 'duration' | 'date' | 'time' | 'date and time' | { digits: number }

/** The formats that every workbook has without a definition, as far as they are of dates and times. */
const builtIn = new Map<number, NumberKind>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'date'] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id) => [id, 'time'] as const),
  [22, 'date and time'],
  [46, 'duration'],
])

/** Excel allows 255. */
const maxCodeCharacters = 1_000

/** @param code of a format that the workbook defines, or undefined */
export function kindOfFormat(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return builtIn.get(id) ?? 'number'
  // Searching for the ends of parts takes quadratic time.
  if (code.length > maxCodeCharacters) return 'number'
  // Without literal text, colours, conditions and locales; only the format of positive numbers.
  const [plain = ''] = code
    .replace(/"[^"]*"|[\\_*]./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .toLowerCase()
    .split(';')
  if (/^0{2,30}$/.test(plain)) return { digits: plain.length }
  if (plain.includes('general')) return 'number'
  if (plain.includes('[')) return 'duration'
  const hasTime = /[hs]/.test(plain)
  const hasDate = /[yd]/.test(plain) || (!hasTime && plain.includes('m'))
  if (hasDate) return hasTime ? 'date and time' : 'date'
  return hasTime ? 'time' : 'number'
}

/** The day after 31 December 9999. */
const endOfDays = 2_958_466

/**
 * Writes the number of a cell as it is shown, dates and times in the form of ISO 8601.
 * @param written as in the workbook
 * @param is1904 whether days are counted from 1904, as Excel did on a Mac
 */
export function writeNumber(written: string, kind: NumberKind, is1904: boolean): string {
  const number = Number(written)
  if (written.trim() === '' || !Number.isFinite(number)) return written
  // Excel shows 15 digits: 0.1 + 0.2 is 0.3.
  const plain = String(Number(number.toPrecision(15)))
  if (typeof kind === 'object')
    return Number.isInteger(number) && number >= 0 ? plain.padStart(kind.digits, '0') : plain
  if (kind === 'number' || number < 0 || number >= endOfDays) return plain
  const seconds = Math.round(number * 86_400)
  const withoutZeroSeconds = (clock: string) => clock.replace(/(:\d\d):00$/, '$1')
  if (kind === 'duration') {
    const minutes = new Date(seconds * 1_000).toISOString().slice(13, 19)
    return withoutZeroSeconds(`${Math.floor(seconds / 3_600)}${minutes}`)
  }
  // Excel takes 1900 for a leap year: before its 29 February, day 60, the days are counted from one day later.
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, number < 60 ? 31 : 30)
  const [day = '', clock = ''] = new Date(first + seconds * 1_000).toISOString().split(/[T.]/)
  const time = withoutZeroSeconds(clock)
  // Less than a day is a time of none.
  const hasDay = seconds * 1_000 >= dayMs
  if (kind === 'date') return hasDay ? day : plain
  return kind === 'time' || !hasDay ? time : `${day} ${time}`
}
