import type { Limits } from '../../../contract/limits.ts'
import { isBlank } from '../../../contract/visible.ts'
import { isHttpUrl } from '../../core/links.ts'
import type { ParsedParticipants, ParticipantField, Remark, SourceParticipant } from '../source.ts'
import { isLonger, oneLine, quoted, storable } from './clean.ts'
import { type CsvRow, readTable } from './csv-table.ts'
import { type ParticipantColumn, participantColumns } from './participant-columns.ts'

const email = /^[^\s@<>()[\],;:\\"]+@(?:[^\s@<>()[\],;:\\".]+\.)+[^\s@<>()[\],;:\\".]{2,}$/

/** The one letter that clients know, with the words that clearly say it; anything else stays as it is. */
export const genders: readonly (readonly [letter: string, words: readonly string[]])[] = [
  ['M', ['m', 'male', 'man', 'mann', 'männlich', 'homme', 'masculin']],
  ['F', ['f', 'w', 'female', 'woman', 'frau', 'weiblich', 'femme', 'féminin']],
]

/**
 * Reads a participant spreadsheet saved as CSV. A participant needs an e-mail address or an employee number; everything
 * else is optional, and an empty cell states nothing.
 *
 * @param text the whole file as text; a byte order mark is fine
 * @param limits a row with more than `text` characters in a cell is left out
 * @returns the participants, and for each row that was left out a problem with its line. Never throws.
 */
export function parseParticipants(text: string, limits: Limits): ParsedParticipants {
  const clean = storable(text).replace(/^\u{FEFF}/u, '')
  if (isBlank(clean)) return refused(1, 'The file is empty.')
  // Before a header is looked for: its members may look like one.
  if (isJson(clean)) return refused(1, 'This is JSON; participants are taken from CSV only.')
  const table = readTable(clean, participantColumns, 1)
  if (!table) {
    return refused(
      1,
      'No header row was found: the first row has to name the columns, such as First name, Last name, Email.',
    )
  }
  if (!table.columns.has('email') && !table.columns.has('employee_no')) {
    const header = table.header.filter(Boolean).map(quoted).join(', ')
    return refused(
      table.headerLine,
      `There is no column for the e-mail address or employee number. The columns are ${header}.`,
    )
  }
  const problems: Remark[] = [...table.problems]
  const participants: SourceParticipant[] = []
  const lines = new Map<string, number>()
  for (const row of table.rows) {
    const participant = toParticipant(row, limits)
    const ids = typeof participant === 'string' ? [] : identitiesOf(participant)
    const twin = ids.find(({ key }) => lines.has(key))
    if (typeof participant === 'string') problems.push({ line: row.line, reason: participant })
    else if (twin) problems.push({ line: row.line, reason: doubled(twin.id, lines.get(twin.key)) })
    else {
      problems.push(...withoutBadPhoto(participant))
      participants.push(participant)
    }
    if (!twin) for (const { key } of ids) lines.set(key, row.line)
  }
  if (participants.length === 0 && problems.length === 0)
    return refused(table.headerLine, 'The file has a header but no rows.')
  return { participants, problems: problems.sort((a, b) => a.line - b.line) }
}

/** Whole objects and arrays only, as a cell may begin like one. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const refused = (line: number, reason: string): ParsedParticipants => ({
  participants: [],
  problems: [{ line, reason }],
})

/** What a row is recognised by. A number that looks like an address is still not one. */
const identitiesOf = ({ values }: SourceParticipant) =>
  (['email', 'employee_no'] as const).flatMap((field) => {
    const id = field === 'email' ? values.email?.toLowerCase() : values.employee_no
    return id === undefined ? [] : [{ id, key: `${field} ${id}` }]
  })

const doubled = (id: string, line: number | undefined) =>
  `${quoted(id)} is in line ${line} already; this row was left out.`

/** A photo that clients could not show does not keep a participant out. A path would lead to what we do not serve. */
function withoutBadPhoto({ line, values }: SourceParticipant): Remark[] {
  const { photo } = values
  if (photo === undefined || isHttpUrl(photo)) return []
  delete values.photo
  return [{ line, reason: `The photo ${quoted(photo)} is not an http(s) URL; it was left out.` }]
}

function toParticipant(row: CsvRow<ParticipantColumn>, limits: Limits): SourceParticipant | string {
  const name = nameOf(row)
  const gender = row.get('gender')
  const stated: [ParticipantField, string][] = [
    ['employee_no', row.get('employee_no')],
    ['email', row.get('email')],
    ['first_name', name.first],
    ['last_name', name.last],
    ['designation', row.get('designation')],
    ['mobile_no', row.get('mobile_no')],
    ['gender', genders.find(([, words]) => words.includes(gender.toLowerCase()))?.[0] ?? gender],
    ['photo', row.get('photo')],
  ]
  const filled = stated.map(([field, value]) => [field, oneLine(value)] as const).filter(([, value]) => !isBlank(value))
  const values: SourceParticipant['values'] = Object.fromEntries(filled)
  const key = values.email?.toLowerCase() ?? values.employee_no
  if (key === undefined) return 'The row has neither an e-mail address nor an employee number; it was left out.'
  if (values.email !== undefined && !email.test(values.email)) {
    return `${quoted(values.email)} is not an e-mail address; the row was left out.`
  }
  const long = filled.find(([, value]) => isLonger(value, limits.text))
  if (long)
    return `The ${long[0].replace('_', ' ')} ${quoted(long[1])} is longer than ${limits.text.toLocaleString('en')} characters; the row was left out.`
  return { line: row.line, key, values }
}

/** First and last name, from their own columns or a full name; beside a first name alone, `Name` is the family name. */
function nameOf(row: CsvRow<ParticipantColumn>): { first: string; last: string } {
  const [first, last, full] = [row.get('first_name'), row.get('last_name'), row.get('full_name')].map(oneLine)
  if (!full || (first && last)) return { first: first ?? '', last: last ?? '' }
  const split = splitName(full)
  if (first && full.startsWith(`${first} `)) return { first, last: full.slice(first.length + 1) }
  if (first) return { first, last: full.includes(',') ? split.last : full }
  if (last) return { first: full.endsWith(` ${last}`) ? full.slice(0, -last.length - 1) : split.first, last }
  return split
}

/** `Ada Lovelace` and `Lovelace, Ada`; of several words the last is the family name. */
function splitName(name: string): { first: string; last: string } {
  const comma = name.indexOf(',')
  if (comma > 0) return { first: name.slice(comma + 1).trim(), last: name.slice(0, comma).trim() }
  const space = name.lastIndexOf(' ')
  return { first: space < 0 ? name : name.slice(0, space), last: space < 0 ? '' : name.slice(space + 1) }
}
