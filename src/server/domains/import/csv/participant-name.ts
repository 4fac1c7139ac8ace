import { toOneLine } from '../text/clean.ts'
import type { CsvRow } from './csv-table.ts'
import type { ParticipantColumn } from './participant-columns.ts'

/**
 * First and last name, from their own columns or from a full name. Next to `First name` only, `Name` is the last name.
 */
export function nameOf(row: CsvRow<ParticipantColumn>): { first: string; last: string } {
  const [first, last, full] = [row.get('first_name'), row.get('last_name'), row.get('full_name')].map(toOneLine)
  if (!full || (first && last)) return { first: first ?? '', last: last ?? '' }
  const split = splitName(full)
  if (first && full.startsWith(`${first} `)) return { first, last: full.slice(first.length + 1) }
  if (first) return { first, last: full.includes(',') ? split.last : full }
  if (last) return { first: full.endsWith(` ${last}`) ? full.slice(0, -last.length - 1) : split.first, last }
  return split
}

/** Splits `Ada Lovelace` or `Lovelace, Ada`; without a comma, the last word is the last name. */
function splitName(name: string): { first: string; last: string } {
  const comma = name.indexOf(',')
  if (comma > 0) return { first: name.slice(comma + 1).trim(), last: name.slice(0, comma).trim() }
  const space = name.lastIndexOf(' ')
  return { first: space < 0 ? name : name.slice(0, space), last: space < 0 ? '' : name.slice(space + 1) }
}
