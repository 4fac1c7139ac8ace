import type { Limits } from '../../../../contract/limits.ts'
import { quote, stripUnstorable } from '../../../core/clean-text.ts'
import { acceptedHeadings } from '../csv/csv-columns.ts'
import { programColumns } from '../csv/program-columns.ts'
import { parseProgramCsv } from '../csv/program-csv.ts'
import { parseProgramList } from '../csv/program-list.ts'
import { isFrabJson, parseFrabJson } from '../frab/frab-json.ts'
import { isFrabXml, parseFrabXml } from '../frab/frab-xml.ts'
import { isICalendar, parseICalendar } from '../icalendar/icalendar.ts'
import { isPretalxGrid, parsePretalxGrid } from '../pretalx/pretalx-grid.ts'
import { isPretalxSchedule, parsePretalxSchedule } from '../pretalx/pretalx-schedule.ts'
import { isPretalxTalks, parsePretalxTalks } from '../pretalx/pretalx-talks.ts'
import { type ProgramFormat, programFormats, supportedFormats } from '../program-formats.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { ParsedProgram } from '../source.ts'
import { describeJson, type JsonFile, toFileValue as jsonValue, readJson } from '../text/json-nodes.ts'
import { type FileValue, listUnused, mostFrequentFirst } from '../text/unused-values.ts'
import { readXml, type XmlFile, toFileValue as xmlValue } from '../text/xml-nodes.ts'
import { isSessionize, parseSessionize } from './sessionize.ts'

/**
 * Reads the files of one format; `matches` tells whether a file is of it, by its root. It asks which members there are,
 * but reads no text, as what was read counts as imported.
 */
type FormatReader =
  | {
      syntax: 'XML'
      matches(root: XmlFile['root']): boolean
      parse(file: XmlFile, limits: Limits, options: ReadingOptions): ParsedProgram
    }
  /** `parse` returns undefined for a file that is not of the format after all. */
  | {
      syntax: 'JSON'
      matches(root: JsonFile['root']): boolean
      parse(file: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram | undefined
    }
  | {
      syntax: 'text'
      matches(text: string): boolean
      parse(text: string, limits: Limits, options: ReadingOptions): ParsedProgram | undefined
    }

const readers: Record<ProgramFormat, FormatReader> = {
  'frab schedule.xml': { syntax: 'XML', matches: isFrabXml, parse: parseFrabXml },
  'frab schedule.json': { syntax: 'JSON', matches: isFrabJson, parse: parseFrabJson },
  'day grid derived from pretalx (JSON)': { syntax: 'JSON', matches: isPretalxGrid, parse: parsePretalxGrid },
  'Sessionize JSON': { syntax: 'JSON', matches: isSessionize, parse: parseSessionize },
  'pretalx talks (JSON)': { syntax: 'JSON', matches: isPretalxTalks, parse: parsePretalxTalks },
  'pretalx schedule (JSON)': { syntax: 'JSON', matches: isPretalxSchedule, parse: parsePretalxSchedule },
  'JSON list': { syntax: 'JSON', matches: () => true, parse: parseProgramList },
  iCalendar: { syntax: 'text', matches: isICalendar, parse: parseICalendar },
  CSV: { syntax: 'text', matches: (text) => !/^\s*[<{[]/.test(text), parse: parseProgramCsv },
}

/** In the order of {@link programFormats}. */
const orderedReaders = Object.keys(programFormats).map((format) => readers[format as ProgramFormat])

const webPage = 'This is a web page. Check whether its site offers the program as XML, JSON or CSV.'

/** The beginnings of common unsupported files, in lower case, with advice for the organizer. */
const unsupportedFiles: readonly (readonly [start: string, message: string])[] = [
  ['<!doctype html', webPage],
  ['<html', webPage],
]

/**
 * Reads a program file of any supported format, which is detected from the content.
 *
 * @param text the whole file; may begin with a byte order mark
 * @param fileName used in messages only
 * @param limits the length limits of requests; longer values are shortened
 * @param options facts that the file may lack
 * @returns the usable sessions, and a warning with its line for everything else. Never throws.
 */
export function parseProgram(
  text: string,
  fileName: string,
  limits: Limits,
  options: ReadingOptions = {},
): ParsedProgram {
  const clean = stripUnstorable(text).replace(/^\u{FEFF}/u, '')
  const start = clean.trimStart().slice(0, 100).toLowerCase()
  if (start === '') return unknownFormat('The file is empty.')
  const unsupported = unsupportedFiles.find(([beginning]) => start.startsWith(beginning))
  if (unsupported) return unknownFormat(unsupported[1])
  // First, as other lines may precede a calendar, such as those of a web page.
  for (const reader of orderedReaders) {
    const program = reader.syntax === 'text' && reader.matches(clean) ? reader.parse(clean, limits, options) : undefined
    if (program) return program
  }
  if (start.startsWith('<')) return parseXml(clean, limits, options)
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(clean, fileName, limits, options)
  if (/\.(?:[ct]sv|xls[xm])$/i.test(fileName))
    return unknownFormat(
      `${quote(fileName)} has no row of headings for a program: above its sessions, one row has to name the columns, among them a title and a start. ${acceptedHeadings(programColumns)}`,
    )
  return unknownFormat(
    `${quote(fileName)} is not in a supported format. Supported: ${supportedFormats}. A CSV file has to name its columns and have a row for each session. ${acceptedHeadings(programColumns)}`,
  )
}

function parseXml(text: string, limits: Limits, options: ReadingOptions): ParsedProgram {
  const file = readXml(text)
  if ('message' in file) return { format: 'XML', ...nothing, warnings: [file] }
  const { root, line } = file
  for (const reader of orderedReaders)
    if (reader.syntax === 'XML' && reader.matches(root))
      return withUnused(reader.parse(file, limits, options), xmlValue(root))
  return unknownFormat(
    `This XML file is a <${root.name}>, not in a supported format. Supported: ${supportedFormats}.`,
    line(root),
  )
}

function parseJson(text: string, fileName: string, limits: Limits, options: ReadingOptions): ParsedProgram {
  const file = readJson(text)
  if ('message' in file) return { format: 'JSON', ...nothing, warnings: [file] }
  for (const reader of orderedReaders) {
    const program =
      reader.syntax === 'JSON' && reader.matches(file.root) ? reader.parse(file, limits, options) : undefined
    if (program) return withUnused(program, jsonValue(file.root))
  }
  const found = describeJson(file.root)
  const seen = found === '' ? '' : `: it has ${found}`
  return unknownFormat(
    `${quote(fileName)} is JSON, but not in a supported format${seen}. Supported: ${supportedFormats}.`,
  )
}

const nothing = { sessions: [], rooms: [], tracks: [], unused: [] }

/** Adds what the format has not read of a file. */
const withUnused = (program: ParsedProgram, root: FileValue): ParsedProgram => ({
  ...program,
  unused: mostFrequentFirst([...program.unused, ...listUnused(root)]),
})

const unknownFormat = (message: string, line = 1): ParsedProgram => ({
  format: 'unknown',
  ...nothing,
  warnings: [{ line, message }],
})
