import type { ParticipantId } from '../../../core/ids.ts'
import { participantsExport } from '../../participants/export.ts'
import type { ParticipantField, SourceParticipant } from '../source.ts'
import { toOneLine } from '../text/clean.ts'
import { type ExportedTableRow, readExportedTable } from './exported-table.ts'

type ExportedColumn = ParticipantField | 'id' | 'modified_by'

const fields: readonly ParticipantField[] = [
  ...(['employee_no', 'email', 'first_name', 'last_name'] as const),
  ...(['designation', 'mobile_no', 'gender', 'photo'] as const),
]

/** Reads the output of `summit export participants`. @returns `undefined` if the file is something else */
export const readExportedParticipants = (text: string): ExportedTableRow<ExportedColumn>[] | undefined =>
  readExportedTable(text, participantsExport.participants.columns as ExportedColumn[], [
    'id',
    'employee_no',
    'modified_by',
  ])

/** A row that was added to an export has no id, and its empty cells are those of any other file. */
export function toExportedParticipant(row: ExportedTableRow<ExportedColumn>): Omit<SourceParticipant, 'key'> {
  const id = /^[1-9]\d{0,15}$/.test(row.get('id') ?? '') ? (Number(row.get('id')) as ParticipantId) : undefined
  const cells = fields.flatMap((field) => {
    const cell = row.get(field)
    return cell === undefined || (cell === '' && id === undefined) ? [] : [[field, toOneLine(cell)] as const]
  })
  return { line: row.line, values: Object.fromEntries(cells), ...(id === undefined ? {} : { id }) }
}
