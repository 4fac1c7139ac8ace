import type { DayOrder } from './written-dates.ts'

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
export const orderGivenBy = (text: string): DayOrder | undefined =>
  text.length > 200 ? undefined : patterns.find(([, pattern]) => pattern.test(text))?.[0]
