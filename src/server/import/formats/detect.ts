import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { quote, stripUnstorable } from './clean.ts'
import { isFrabJson, parseFrabJson } from './frab-json.ts'
import { parseFrabXml } from './frab-xml.ts'
import { readJson } from './json-nodes.ts'
import { isPretalxGrid, parsePretalxGrid } from './pretalx-grid.ts'
import { isPretalxTalks, parsePretalxTalks } from './pretalx-talks.ts'
import { parseProgramCsv } from './program-csv.ts'
import type { ReadingOptions } from './reading-options.ts'
import { isSessionize, parseSessionize } from './sessionize.ts'

const supportedFormats =
  'a frab or pretalx schedule.xml, a frab or pretalx schedule.json, pretalx talks as JSON, Sessionize JSON, ' +
  'or CSV with at least a title and a start column'

const webPage = 'This is a web page. Check whether its site offers the program as XML, JSON or CSV.'

/** The beginnings of common unsupported files, in lower case, with advice for the organizer. */
const unsupportedFiles: readonly (readonly [start: string, message: string])[] = [
  ['<!doctype html', webPage],
  ['<html', webPage],
  ['begin:vcalendar', 'This is an iCalendar file, which cannot be imported. Export the program as XML, JSON or CSV.'],
]

/**
 * Reads a program file of any supported format, which is detected from the content.
 *
 * @param text the whole file; may begin with a byte order mark
 * @param fileName used in messages only
 * @param limits the length limits of requests; longer values are shortened
 * @param options what the file does not say itself
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
  if (start.startsWith('<')) return parseFrabXml(clean, limits)
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(clean, fileName, limits)
  return (
    parseProgramCsv(clean, limits, options) ??
    unknownFormat(`${quote(fileName)} is not in a supported format. Supported: ${supportedFormats}.`)
  )
}

function parseJson(text: string, fileName: string, limits: Limits): ParsedProgram {
  const file = readJson(text)
  if ('message' in file) return { format: 'JSON', sessions: [], warnings: [file] }
  if (isFrabJson(file.root)) return parseFrabJson(file, limits)
  if (isPretalxGrid(file.root)) return parsePretalxGrid(file, limits)
  if (isSessionize(file.root)) return parseSessionize(file, limits)
  if (isPretalxTalks(file.root)) return parsePretalxTalks(file, limits)
  return unknownFormat(`${quote(fileName)} is JSON, but not in a supported format. Supported: ${supportedFormats}.`)
}

const unknownFormat = (message: string): ParsedProgram => ({
  format: 'unknown',
  sessions: [],
  warnings: [{ line: 1, message }],
})
