import { dayMs } from '../../../core/time-units.ts'
import { formatDay, type Wall, wallOf } from './wall-clock.ts'
import { monthOf } from './written-dates.ts'

const weekdays: readonly RegExp[] = [
  /^(?:sun(?:day)?|so|sonntag|dim(?:anche)?)$/,
  /^(?:mon(?:day)?|mo|montag|lun(?:di)?)$/,
  /^(?:tue(?:s(?:day)?)?|di|dienstag|mardi)$/,
  /^(?:wed(?:nesday)?|mi|mittwoch|mer(?:credi)?)$/,
  /^(?:thu(?:r(?:s(?:day)?)?)?|do|donnerstag|jeu(?:di)?)$/,
  /^(?:fri(?:day)?|fr|freitag|ven(?:dredi)?)$/,
  /^(?:sat(?:urday)?|sa|samstag|sonnabend|sam(?:edi)?)$/,
]

/** A day without a year, and what follows it in the cell. */
interface RelativeDay {
  dayFrom(firstDay: Wall): Wall | undefined
  rest: string
}

/**
 * Replaces a day that is relative to the conference at the beginning of a cell: `Thursday`, `Day 1`, `Sat 14.3.`,
 * `14 March`, `14-Mar`, `3/14`.
 *
 * @param cell at most 60 characters
 * @param isMonthFirst how 3/4 is read
 * @param firstDay the first day of the conference, if known
 * @returns the cell with an ISO date instead; `undefined` if it has none, or the first day is unknown
 */
export function resolveRelativeDay(
  cell: string,
  isMonthFirst: boolean,
  firstDay: Wall | undefined,
): string | undefined {
  const found = findRelativeDay(cell, isMonthFirst)
  const day = firstDay === undefined ? undefined : found?.dayFrom(firstDay)
  return found === undefined || day === undefined ? undefined : `${formatDay(day)} ${found.rest}`.trim()
}

/** Whether a cell begins with a day that can only be read if the first day is known. */
export const isRelativeDay = (cell: string): boolean => findRelativeDay(cell, false) !== undefined

function findRelativeDay(cell: string, isMonthFirst: boolean): RelativeDay | undefined {
  const { weekday, rest: text } = splitWeekday(cell.trim())
  const counted = /^(?:day|tag|jour)\s*#?\s*(\d{1,2})\b(.*)$/i.exec(text)
  if (counted)
    return {
      dayFrom: (first) => first + (Number(counted[1]) - 1) * dayMs,
      rest: splitWeekday(separated(counted[2])).rest,
    }
  const numeric = /^(\d{1,2})([./-])\s?(\d{1,2})(?:\2(?!\d|\s?\d{4})|(?![\d.:/-]))(.*)$/.exec(text)
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[3])]
    const [day, month] = isMonthFirst && numeric[2] !== '.' ? [second, first] : [first, second]
    if (month >= 1 && month <= 12) return { dayFrom: (from) => nearest(from, month, day), rest: separated(numeric[4]) }
  }
  const worded =
    /^(?:(\d{1,2})(?:\.|st|nd|rd|th|er)?[\s-]*(?:of |de )?(\p{L}{3,})(?!\p{L})\.?|(\p{L}{3,})\.?[\s-]*(\d{1,2})(?:st|nd|rd|th)?)(?![\d:.])(?!,?\s*\d{4}|-\d|\s\d\d$)(.*)$/iu.exec(
      text,
    )
  const month = worded && monthOf(worded[2] ?? worded[3] ?? '')
  if (worded && month)
    return { dayFrom: (from) => nearest(from, month, Number(worded[1] ?? worded[4])), rest: separated(worded[5]) }
  if (weekday === undefined || /\d{4}/.test(text)) return undefined
  return { dayFrom: (first) => first + ((weekday - new Date(first).getUTCDay() + 7) % 7) * dayMs, rest: text }
}

function splitWeekday(text: string): { weekday: number | undefined; rest: string } {
  const [, word = '', rest = ''] = /^(\p{L}+)\.?(?:[\s,]+(.*))?$/u.exec(text) ?? []
  const weekday = weekdays.findIndex((pattern) => pattern.test(word.toLowerCase()))
  return weekday < 0 ? { weekday: undefined, rest: text } : { weekday, rest: separated(rest) }
}

const separated = (rest = ''): string => rest.replace(/^[\s,;:–—()-]+|[\s()]+$/g, '')

/** The date in the year in which it is nearest to the first day. */
function nearest(firstDay: Wall, month: number, day: number): Wall | undefined {
  const year = new Date(firstDay).getUTCFullYear()
  const days = [year - 1, year, year + 1].map((each) => wallOf(each, month, day)).filter((each) => each !== undefined)
  return days.toSorted((a, b) => Math.abs(a - firstDay) - Math.abs(b - firstDay))[0]
}
