import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { quoted, storable } from './clean.ts'
import { isFrabJson, parseFrabJson } from './frab-json.ts'
import { parseFrabXml } from './frab-xml.ts'
import { readJson } from './json-nodes.ts'
import { isPretalxGrid, parsePretalxGrid } from './pretalx-grid.ts'
import { isPretalxTalks, parsePretalxTalks } from './pretalx-talks.ts'
import { parseProgramCsv } from './program-csv.ts'
import { isSessionize, parseSessionize } from './sessionize.ts'

const lookedFor =
  'a frab or pretalx schedule.xml, a frab or pretalx schedule.json, pretalx talks as JSON, Sessionize JSON, ' +
  'or a CSV table whose header names at least a title and a start'

/** How files that hold no program begin, in lower case, and what their owner can do about it. */
const strangers: readonly (readonly [start: string, sentence: string])[] = [
  ['<!doctype html', 'This is a web page. Its site may offer the program as XML, JSON or CSV.'],
  ['<html', 'This is a web page. Its site may offer the program as XML, JSON or CSV.'],
  ['begin:vcalendar', 'This is an iCalendar file, which cannot be imported. Export the program as XML, JSON or CSV.'],
]

/**
 * Reads a program file of any format that we know. The content decides which one it is; the name serves only sentences.
 *
 * @param text the whole file as text; a byte order mark is fine
 * @param fileName as the organizer calls it
 * @param limits those of requests, which hold for what is imported as well; what is longer is cut
 * @returns the sessions that can be used and, for everything else, a problem with its line. Never throws.
 */
export function parseProgram(text: string, fileName: string, limits: Limits): ParsedProgram {
  const clean = storable(text).replace(/^\u{FEFF}/u, '')
  const start = clean.trimStart().slice(0, 100).toLowerCase()
  if (start === '') return unknown('The file is empty.')
  const stranger = strangers.find(([beginning]) => start.startsWith(beginning))
  if (stranger) return unknown(stranger[1])
  if (start.startsWith('<')) return parseFrabXml(clean, limits)
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(clean, fileName, limits)
  return (
    parseProgramCsv(clean, limits) ?? unknown(`${quoted(fileName)} is none of the formats looked for: ${lookedFor}.`)
  )
}

function parseJson(text: string, fileName: string, limits: Limits): ParsedProgram {
  const file = readJson(text)
  if ('reason' in file) return { format: 'JSON', sessions: [], problems: [file] }
  if (isFrabJson(file.root)) return parseFrabJson(file, limits)
  if (isPretalxGrid(file.root)) return parsePretalxGrid(file, limits)
  if (isSessionize(file.root)) return parseSessionize(file, limits)
  if (isPretalxTalks(file.root)) return parsePretalxTalks(file, limits)
  return unknown(`${quoted(fileName)} is JSON but none of the formats looked for: ${lookedFor}.`)
}

const unknown = (reason: string): ParsedProgram => ({
  format: 'unknown',
  sessions: [],
  problems: [{ line: 1, reason }],
})
