import { readSpeakers } from '../sessions/speaker-names.ts'
import type { SourceSpeaker } from '../source.ts'
import { toOneLine } from '../text/clean.ts'
import type { CsvRow } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'

/** The speakers of a spreadsheet row by name, from columns of full names or of first and last names. */
export function speakersOf(row: CsvRow<ProgramField>): SourceSpeaker[] {
  const [firstNames, lastNames] = [row.all('firstName'), row.all('lastName')]
  const fullNames = Array.from({ length: Math.max(firstNames.length, lastNames.length) }, (_, index) =>
    toOneLine(`${firstNames[index] ?? ''} ${lastNames[index] ?? ''}`),
  )
  return readSpeakers({
    names: fullNames.length === 0 ? row.all('speaker') : fullNames,
    positions: row.all('position'),
    companies: row.all('company'),
  })
}
