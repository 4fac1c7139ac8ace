import type { Limits } from '../../../../contract/limits.ts'
import { commandName } from '../../../core/command-name.ts'
import { OperatorError } from '../../../core/errors.ts'
import { programExport } from '../../program/export.ts'
import { DirectoryError, readSpeakerDirectory, readVenues } from '../csv/directories.ts'
import { readExportedTable } from '../csv/exported-table.ts'
import type { ProgramFiles } from '../encoding/program-files.ts'
import { parseProgram } from '../formats/detect.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { ParsedProgram } from '../source.ts'
import { daysOfEvents } from './conference-days.ts'
import type { EventRow } from './session-event.ts'

/** What the organizer says of how to read a file. */
export type ReadingChoices = Pick<ReadingOptions, 'dates' | 'firstDay' | 'timeZone'>

/**
 * Reads the program of a file.
 * @param stored all events; the days of those of its program decide on the order of dates that the file leaves open
 * @param source the name of the program
 * @returns its sessions, of which there may be none
 * @throws OperatorError if it is a list that was exported, or its venues or speakers cannot be read
 */
export function readProgramFile(
  { program: { name, text, warnings, isWorkbook }, venues, speakers }: ProgramFiles,
  limits: Limits,
  choices: ReadingChoices,
  stored: readonly EventRow[],
  source: string,
): ParsedProgram {
  if (isExportedList(text)) throw new OperatorError(`${name} ${spreadsheetAdvice}`)
  const program = parseProgram(text, name, limits, {
    ...choices,
    ...readDirectories(venues, speakers),
    storedDays: daysOfEvents(stored.filter((event) => event.source === source && event.source_key !== '')),
  })
  const format = isWorkbook && program.format === 'CSV' ? 'Excel workbook' : program.format
  return { ...program, format, warnings: [...warnings, ...program.warnings] }
}

const spreadsheetAdvice = `is an export that cannot be imported. To edit sessions in a spreadsheet: ${commandName} export sessions --out sessions.csv`

/** Whether a text is the output of `summit export events` or `summit export activities`. */
const isExportedList = (text: string): boolean =>
  readExportedTable(text, programExport.events.columns, ['id', 'source_key', 'date_from']) !== undefined ||
  readExportedTable(text, programExport.activities.columns, ['id', 'event_id', 'date', 'time', 'title']) !== undefined

/** @throws OperatorError */
function readDirectories(venues: ProgramFiles['venues'], speakers: ProgramFiles['speakers']): ReadingOptions {
  try {
    return {
      venues: venues && readVenues(venues.text, venues.name),
      speakers: speakers && readSpeakerDirectory(speakers.text, speakers.name),
    }
  } catch (error) {
    throw error instanceof DirectoryError ? new OperatorError(error.message) : error
  }
}
