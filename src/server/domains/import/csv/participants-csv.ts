import type { Limits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import { isLongerThan, quote, stripUnstorable, toOneLine } from '../../../core/clean-text.ts'
import type { ParticipantId } from '../../../core/ids.ts'
import { isHttpUrl } from '../../../core/links.ts'
import { cleanMailAddress, isMailAddress, isSentQuoted } from '../../../platform/mail/mail-address.ts'
import { participantsExport } from '../../participants/export.ts'
import { type ParticipantField, participantLabels } from '../../participants/participant-differences.ts'
import type { ImportWarning, ParsedParticipants, SourceParticipant } from '../source.ts'
import { isCutNumber } from '../times/cell-reader.ts'
import { withoutAbsent } from './attendance.ts'
import { acceptedHeadings } from './csv-columns.ts'
import { type CsvRow, type CsvTable, readTable } from './csv-table.ts'
import { type ExportedTableRow, readExportedTable } from './exported-table.ts'
import { nameOf, type ParticipantColumn, participantColumns } from './participant-columns.ts'
import { isOfSomebodyElse, participantHeadings } from './participant-headings.ts'

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
 * Reads a participant spreadsheet as CSV. A participant needs an e-mail address or an employee number; everything
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
  if (exported) return toParticipants(exported, toExportedParticipant, limits)
  // Before looking for a header, since JSON member names may look like one.
  if (isJson(clean))
    return rejectFile(
      1,
      'This is JSON; participants can only be imported from a spreadsheet, or from an export of Summit.',
    )
  const table = readTable(clean, participantHeadings, 1)
  if (!table)
    return rejectFile(
      1,
      `No header row found. The first row has to name the columns. ${acceptedHeadings(participantColumns)}`,
    )
  if (!canIdentify(table)) {
    const missing = table.columns.has('employee_no')
      ? 'e-mail address, and none for a name'
      : 'e-mail address or employee number'
    const list = (headings: readonly string[]) => headings.filter(Boolean).map(quote).join(', ')
    const others = table.header.filter(isOfSomebodyElse)
    const remark = others.length > 0 ? ` Of somebody else, such as the buyer: ${list(others)}.` : ''
    return rejectFile(
      table.headerLine,
      `No column for the ${missing}. Columns: ${list(table.header)}.${remark} ${acceptedHeadings(participantColumns)}`,
    )
  }
  const { attending, warnings: absences } = withoutAbsent(table)
  const parsed = toParticipants(attending, toParticipant, limits)
  const warnings = [...table.warnings, ...absences, ...parsed.warnings].sort((a, b) => a.line - b.line)
  if (parsed.participants.length === 0 && warnings.length === 0)
    return rejectFile(table.headerLine, 'The file has a header but no rows.')
  return { ...parsed, warnings, unused: table.unused }
}

/** Whether a text is CSV with the headings that a list of participants needs. */
export function isParticipantsTable(text: string): boolean {
  const table = readTable(text, participantHeadings, 1)
  return table !== undefined && canIdentify(table)
}

function canIdentify({ columns, header }: CsvTable<ParticipantColumn>): boolean {
  // `ID` alone may be that of anything, such as a session.
  const hasBareId = columns.get('employee_no')?.every((at) => /^ids?$/i.test(header[at] ?? '')) ?? true
  const hasName = (['full_name', 'first_name', 'last_name'] as const).some((field) => columns.has(field))
  return columns.has('email') || !hasBareId || (columns.has('employee_no') && hasName)
}

/** Leaves out rows that cannot be used, or that have the address or number of an earlier one. */
function toParticipants<Row extends { line: number }>(
  rows: readonly Row[],
  read: (row: Row) => Omit<SourceParticipant, 'key'>,
  limits: Limits,
): ParsedParticipants {
  const warnings: ImportWarning[] = []
  const participants: SourceParticipant[] = []
  const lineByKey = new Map<string, number>()
  for (const row of rows) {
    const { line } = row
    const { participant, remarks } = cleanParticipant(read(row))
    warnings.push(...remarks.map((message) => ({ line, message })))
    const problem = findProblem(participant, limits)
    const ids = problem === undefined ? identitiesOf(participant) : []
    const duplicate = ids.find(({ key }) => lineByKey.has(key))
    if (problem !== undefined) warnings.push({ line, message: problem, weight: 'skipped' })
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
  return { participants, warnings, unused: [] }
}

/** Removes what is not part of an address, and numbers that a spreadsheet has cut. @returns what was removed, and doubts */
function cleanParticipant({ values: given, ...row }: Omit<SourceParticipant, 'key'>): {
  participant: SourceParticipant
  remarks: string[]
} {
  const values = { ...given }
  const remarks: string[] = []
  if (values.email !== undefined) {
    values.email = cleanMailAddress(values.email)
    if (isMailAddress(values.email) && isSentQuoted(values.email))
      remarks.push(
        `${quote(values.email)} has dots where the rules for addresses allow none; some mail servers refuse mail to it.`,
      )
  }
  for (const field of ['mobile_no', 'employee_no'] as const) {
    const cell = values[field]
    if (cell === undefined || !isCutNumber(cell)) continue
    delete values[field]
    remarks.push(
      `A spreadsheet has cut the ${participantLabels[field]} ${quote(cell)}; it was ignored. Format the column as text, enter ` +
        'the number again, and save the file again.',
    )
  }
  const key = values.email?.toLowerCase() || values.employee_no || (row.id === undefined ? '' : `id ${row.id}`)
  return { participant: { ...row, key, values }, remarks }
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
  unused: [],
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

function toParticipant(row: CsvRow<ParticipantColumn>): Omit<SourceParticipant, 'key'> {
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
  return { line: row.line, values: Object.fromEntries(filled) }
}

/** Why a row is skipped; undefined for one that can be used. */
function findProblem({ key, values }: SourceParticipant, limits: Limits): string | undefined {
  if (key === '') return 'No e-mail address or employee number; row skipped.'
  if (values.email && !isMailAddress(values.email)) return invalidAddress(values.email)
  const tooLong = Object.entries(values).find(([, value]) => isLongerThan(value, limits.text))
  if (!tooLong) return undefined
  const [field, value] = tooLong
  return `The ${field.replace('_', ' ')} ${quote(value)} is longer than ${limits.text.toLocaleString('en')} characters; row skipped.`
}

const invalidAddress = (email: string): string =>
  /^[^@]*\P{ASCII}[^@]*@/u.test(email)
    ? `No mail can be sent to ${quote(email)}, because of the letters before the @ that are not in a–z; row skipped.`
    : `${quote(email)} is not a valid e-mail address; row skipped.`

type ExportedColumn = ParticipantField | 'id' | 'modified_by'

const exportedFields: readonly ParticipantField[] = [
  ...(['employee_no', 'email', 'first_name', 'last_name'] as const),
  ...(['designation', 'mobile_no', 'gender', 'photo'] as const),
]

/** Reads the output of `summit export participants`. @returns `undefined` if the file is something else */
const readExportedParticipants = (text: string): ExportedTableRow<ExportedColumn>[] | undefined =>
  readExportedTable(text, participantsExport.participants.columns as ExportedColumn[], [
    'id',
    'employee_no',
    'modified_by',
  ])

/** A row that was added to an export has no id, and its empty cells are those of any other file. */
function toExportedParticipant(row: ExportedTableRow<ExportedColumn>): Omit<SourceParticipant, 'key'> {
  const id = /^[1-9]\d{0,15}$/.test(row.get('id') ?? '') ? (Number(row.get('id')) as ParticipantId) : undefined
  const cells = exportedFields.flatMap((field) => {
    const cell = row.get(field)
    return cell === undefined || (cell === '' && id === undefined) ? [] : [[field, toOneLine(cell)] as const]
  })
  return { line: row.line, values: Object.fromEntries(cells), ...(id === undefined ? {} : { id }) }
}
