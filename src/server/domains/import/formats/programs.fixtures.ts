import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSharedData } from '../../../../../test/shared-data.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { sanitizeHtml } from '../../program/html.ts'
import type { ProgramFormat } from '../program-formats.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { ParsedProgram, SourceSpeaker } from '../source.ts'
import { parseProgram } from './detect.ts'

/** One invented conference, Alpine Makers Days, as a file of each format. */
const inventedPrograms: Record<ProgramFormat, string> = {
  'frab schedule.xml': 'frab.xml',
  'frab schedule.json': 'frab.json',
  'day grid derived from pretalx (JSON)': 'day-grid.json',
  'Sessionize JSON': 'sessionize.json',
  'pretalx talks (JSON)': 'pretalx-talks.json',
  'pretalx schedule (JSON)': 'pretalx-slots.json',
  'JSON list': 'list.json',
  iCalendar: 'calendar.ics',
  CSV: 'program.csv',
}

export const formats = Object.keys(inventedPrograms) as ProgramFormat[]

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures', name)

const inventedFile = (format: ProgramFormat): string => fixture(inventedPrograms[format])

export const readInventedProgram = (format: ProgramFormat): string => readFileSync(inventedFile(format), 'utf8')

export const parseInventedProgram = (format: ProgramFormat): ParsedProgram => parse(inventedFile(format))

/** What the XML of a frab schedule has as well as its JSON: of persons, only names and ids; of rooms, no more than guids. */
export const inBothFormats = ({ conference, tracks, sessions }: ParsedProgram) => ({
  conference,
  tracks,
  sessions: new Map(
    sessions.map(({ line: _, ...session }) => [
      session.key,
      { ...session, speakers: session.speakers.map(({ biography: _1, photo: _2, links: _3, ...speaker }) => speaker) },
    ]),
  ),
})

/** Programs of real conferences, which are not part of the repository. */
const findRealProgram = (name: string): string | undefined => findSharedData(join('data', name))

export const hasRealProgram = (name: string): boolean => findRealProgram(name) !== undefined

export const readRealProgram = (name: string): string => readFileSync(findRealProgram(name) ?? '', 'utf8')

export const parseRealProgram = (name: string): ParsedProgram => parse(findRealProgram(name) ?? '')

/** The invented conference in templates and exports of other tools. */
export const readFixture = (name: string): string => readFileSync(fixture(name), 'utf8')

export const parseFixture = (name: string, options: ReadingOptions = {}): ParsedProgram =>
  parseProgram(readFixture(name), name, defaultLimits, options)

const parse = (file: string) => parseProgram(readFileSync(file, 'utf8'), file, defaultLimits)

/** Parses a calendar with these lines. */
export const parseCalendar = (...lines: string[]) =>
  parseProgram(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'), 'a.ics', defaultLimits)

/** The lines of an event for {@link parseCalendar}. */
export const event = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'SUMMARY:Yoga',
  ...lines,
  'END:VEVENT',
]

/** A speaker of whom a file says this, and nothing else. */
export const speakerWith = (said: Partial<SourceSpeaker>): SourceSpeaker => ({
  ...{ name: '', position: '', company: '', key: '', guid: '', photo: '', links: [] },
  biography: sanitizeHtml(''),
  ...said,
})
