import type { ImportWarning } from '../source.ts'
import { quote } from '../text/clean.ts'
import { readAttendance } from './attendance-status.ts'
import type { CsvRow, CsvTable } from './csv-table.ts'
import type { ParticipantColumn } from './participant-columns.ts'
import { nameOf } from './participant-name.ts'

/** Leaves out the people of whom a column says that they do not attend, or that this is undecided. */
export function withoutAbsent({ rows, header, headerLine, columns }: CsvTable<ParticipantColumn>): {
  attending: CsvRow<ParticipantColumn>[]
  warnings: ImportWarning[]
} {
  const warnings: ImportWarning[] = []
  const unknown = new Set<string>()
  const attending = rows.filter((row) => {
    const statuses = (columns.get('status') ?? []).map((at) => {
      const [heading = '', cell = ''] = [header[at], row.cells[at]]
      return { heading, cell, attendance: readAttendance(heading, cell) }
    })
    const find = (attendance: string) => statuses.find((status) => status.attendance === attendance)
    const absence = find('does not attend')
    const reason = absence ?? find('undecided')
    if (!reason) {
      for (const { cell, attendance } of statuses) if (attendance === 'unknown') unknown.add(quote(cell))
      return true
    }
    const name = quote(
      Object.values(nameOf(row)).filter(Boolean).join(' ') || row.get('email') || row.get('employee_no'),
    )
    const said = `(${quote(reason.heading)}: ${quote(reason.cell)})`
    const message = absence
      ? `${name} does not attend ${said}; row skipped.`
      : `It is undecided whether ${name} attends ${said}; row skipped. To import it all the same, empty this cell.`
    warnings.push({ line: row.line, message, weight: 'skipped' })
    return false
  })
  if (unknown.size > 0) {
    const names = [...unknown].slice(0, maxNamedStatuses)
    const more = unknown.size > names.length ? `, and ${unknown.size - names.length} more` : ''
    const message = `Rows with these statuses are imported, as they do not say that somebody does not attend: ${names.join(', ')}${more}.`
    warnings.push({ line: headerLine, message })
  }
  return { attending, warnings }
}

const maxNamedStatuses = 10
