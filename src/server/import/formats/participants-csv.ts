import type { Limits } from '../../../contract/limits.ts'
import { isBlank } from '../../../contract/visible.ts'
import { isHttpUrl } from '../../core/links.ts'
import type { ImportWarning, ParsedParticipants, ParticipantField, SourceParticipant } from '../source.ts'
import { isLongerThan, quote, stripUnstorable, toOneLine } from './clean.ts'
import { type CsvRow, readTable } from './csv-table.ts'
import { readExportedParticipants, toExportedParticipant } from './exported-participants.ts'
import { type ParticipantColumn, participantColumns } from './participant-columns.ts'

const emailPattern = /^[^\s@<>()[\],;:\\"]+@(?:[^\s@<>()[\],;:\\".]+\.)+[^\s@<>()[\],;:\\".]{2,}$/

/** The letters that clients know, each with the words converted to it; any other value is imported unchanged. */
export const genders: readonly (readonly [letter: string, words: readonly string[]])[] = [
  ['M', ['m', 'male', 'man', 'mr', 'mr.', 'mann', 'herr', 'männlich', 'h', 'homme', 'm.', 'monsieur', 'masculin']],
  [
    'F',
    [
      ...['f', 'female', 'woman', 'ms', 'ms.', 'mrs', 'mrs.', 'miss', 'w', 'frau', 'weiblich'],
      ...['femme', 'mme', 'madame', 'mademoiselle', 'mlle', 'féminin'],
    ],
  ],
]

/**
 * Reads a participant spreadsheet saved as CSV. A participant needs an e-mail address or an employee number; everything
 * else is optional, and empty cells are ignored.
 *
 * @param text the whole file; may begin with a byte order mark
 * @param limits rows with a cell of more than `limits.text` characters are skipped
 * @returns the participants, and a warning for each skipped row. Never throws.
 */
export function parseParticipants(text: string, limits: Limits): ParsedParticipants {
  const clean = stripUnstorable(text).replace(/^\u{FEFF}/u, '')
  if (isBlank(clean)) return rejectFile(1, 'The file is empty.')
  const exported = readExportedParticipants(clean)
  if (exported) return toParticipants(exported, (row) => checkParticipant(toExportedParticipant(row), limits))
  // Before looking for a header, since JSON member names may look like one.
  if (isJson(clean))
    return rejectFile(1, 'This is JSON; participants can only be imported from CSV, or from an export of Summit.')
  const table = readTable(clean, participantColumns, 1, [])
  if (!table) {
    return rejectFile(
      1,
      'No header row found. The first row has to name the columns, such as First name, Last name, Email.',
    )
  }
  if (!table.columns.has('email') && !table.columns.has('employee_no')) {
    const header = table.header.filter(Boolean).map(quote).join(', ')
    return rejectFile(table.headerLine, `No column for the e-mail address or employee number. Columns: ${header}.`)
  }
  const parsed = toParticipants(table.rows, (row) => toParticipant(row, limits))
  const warnings = [...table.warnings, ...parsed.warnings].sort((a, b) => a.line - b.line)
  if (parsed.participants.length === 0 && warnings.length === 0)
    return rejectFile(table.headerLine, 'The file has a header but no rows.')
  return { ...parsed, warnings }
}

/** Leaves out rows that cannot be used, or that have the address or number of an earlier one. */
function toParticipants<Row extends { line: number }>(
  rows: readonly Row[],
  read: (row: Row) => SourceParticipant | string,
): ParsedParticipants {
  const warnings: ImportWarning[] = []
  const participants: SourceParticipant[] = []
  const lineByKey = new Map<string, number>()
  for (const row of rows) {
    const { line } = row
    const participant = read(row)
    const ids = typeof participant === 'string' ? [] : identitiesOf(participant)
    const duplicate = ids.find(({ key }) => lineByKey.has(key))
    if (typeof participant === 'string') warnings.push({ line, message: participant, weight: 'skipped' })
    else if (duplicate) {
      const message = duplicateMessage(duplicate.id, lineByKey.get(duplicate.key))
      warnings.push({ line, message, weight: 'skipped' })
    } else {
      // An export may have a stored photo of another kind, which the plan compares.
      if (participant.id === undefined) warnings.push(...removeInvalidPhoto(participant))
      participants.push(participant)
    }
    if (!duplicate) for (const { key } of ids) lineByKey.set(key, line)
  }
  return { participants, warnings }
}

/** Only a complete object or array counts, since a CSV cell may begin with a brace or bracket. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const rejectFile = (line: number, message: string): ParsedParticipants => ({
  participants: [],
  warnings: [{ line, message }],
})

/** The address, number and id of a row. The key has the field name: a number that looks like an address is not one. */
const identitiesOf = ({ id, values }: SourceParticipant) =>
  [
    ['email', values.email?.toLowerCase()],
    ['employee_no', values.employee_no],
    ['id', id === undefined ? undefined : String(id)],
  ].flatMap(([field, id]) => (id ? [{ id, key: `${field} ${id}` }] : []))

const duplicateMessage = (id: string, line: number | undefined) =>
  `${quote(id)} is already in line ${line}; row skipped.`

/**
 * A photo that clients cannot show is removed and the participant imported. Paths are not served, so only URLs count.
 */
function removeInvalidPhoto({ line, values }: SourceParticipant): ImportWarning[] {
  const { photo } = values
  if (photo === undefined || isHttpUrl(photo)) return []
  delete values.photo
  return [invalidPhoto(line, photo)]
}

export const invalidPhoto = (line: number, photo: string): ImportWarning => ({
  line,
  message: `The photo ${quote(photo)} is not an http(s) URL; it was ignored.`,
})

function toParticipant(row: CsvRow<ParticipantColumn>, limits: Limits): SourceParticipant | string {
  const name = nameOf(row)
  const gender = row.get('gender')
  const cells: [ParticipantField, string][] = [
    ['employee_no', row.get('employee_no')],
    ['email', row.get('email')],
    ['first_name', name.first],
    ['last_name', name.last],
    ['designation', row.get('designation')],
    ['mobile_no', row.get('mobile_no')],
    ['gender', genders.find(([, words]) => words.includes(gender.toLowerCase()))?.[0] ?? gender],
    ['photo', row.get('photo')],
  ]
  const filled = cells
    .map(([field, value]) => [field, toOneLine(value)] as const)
    .filter(([, value]) => !isBlank(value))
  const values: SourceParticipant['values'] = Object.fromEntries(filled)
  const key = values.email?.toLowerCase() ?? values.employee_no ?? ''
  return checkParticipant({ line: row.line, key, values }, limits)
}

/** The participant, or why the row is skipped. */
function checkParticipant(participant: SourceParticipant, limits: Limits): SourceParticipant | string {
  const { key, values } = participant
  if (key === '') return 'No e-mail address or employee number; row skipped.'
  if (values.email && !emailPattern.test(values.email))
    return `${quote(values.email)} is not a valid e-mail address; row skipped.`
  const tooLong = Object.entries(values).find(([, value]) => isLongerThan(value, limits.text))
  if (!tooLong) return participant
  const [field, value] = tooLong
  return `The ${field.replace('_', ' ')} ${quote(value)} is longer than ${limits.text.toLocaleString('en')} characters; row skipped.`
}

/**
 * First and last name, from their own columns or from a full name. Next to `First name` only, `Name` is the last name.
 */
function nameOf(row: CsvRow<ParticipantColumn>): { first: string; last: string } {
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
