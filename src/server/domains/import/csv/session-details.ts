import { quote } from '../../../core/clean-text.ts'
import type { ProgramFormat } from '../program-formats.ts'
import type { RawSession } from '../sessions/session-list.ts'
import { readLanguage, readUrl } from '../sessions/source-values.ts'
import type { LinkRelation, SourceLink, UnusedValues } from '../source.ts'
import { type CsvRow, type CsvTable, isYes } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'

type Details = Pick<RawSession, 'track' | 'type' | 'license' | 'language' | 'tags' | 'links' | 'doNotRecord' | 'slug'>

/** What a row says of its session beside texts, times and people. */
export function readDetails(row: CsvRow<ProgramField>, format: ProgramFormat): Details {
  const named = (field: ProgramField) => linesOf(row.get(field)).filter((name) => !isNumber(name, format))
  // A list of JSON may have several tracks or types; a session has one.
  const [track = '', ...otherTracks] = named('track')
  const [type = '', ...otherTypes] = named('type')
  return {
    ...{ track, type },
    license: row.get('license'),
    language: row.get('language'),
    tags: [...tagsOf(row).filter((tag) => !isNumber(tag, format)), ...otherTracks, ...otherTypes],
    links: linkFields.flatMap(([field, rel]) => linksIn(row.get(field)).map((link) => ({ ...link, rel }))),
    slug: row.get('slug'),
    doNotRecord: isYes(row.get('doNotRecord')),
  }
}

const linesOf = (cell: string): string[] => cell.split(/[\r\n]+/).filter((line) => line !== '')

/** Whether it is the number of a record elsewhere, as in the JSON of a site; in a spreadsheet it may be a name. */
const isNumber = (text: string, format: ProgramFormat): boolean => format === 'JSON list' && /^\d+$/.test(text)

/** In a spreadsheet of Summit, commas and bars are part of tags. */
const tagsOf = (row: CsvRow<ProgramField>): string[] =>
  row.has('summitId') ? row.get('tags').split(';') : splitTags(row.get('tags'))

/** A comma separates tags only where nothing else does. */
function splitTags(cell: string): string[] {
  const parts = cell.split(/[;|\r\n]+/)
  return (parts.length > 1 ? parts : cell.split(',')).map((tag) => tag.trim()).filter((tag) => tag !== '')
}

/** A URL may have a semicolon or bar in it. */
export const splitUrls = (cell: string): string[] =>
  cell.split(/\s*[;|]\s*(?=https?:)|\s+/i).filter((url) => url !== '')

/** In the order of other formats. */
const linkFields: readonly (readonly [ProgramField, LinkRelation])[] = [
  ['link', 'page'],
  ['origin', 'origin'],
  ['feedback', 'feedback'],
  ['stream', 'stream'],
  ['recording', 'recording'],
  ['attachment', 'attachment'],
  ['related', 'related'],
]

/** The links of a cell, with the title that stands before a single one in its line. */
const linksIn = (cell: string): SourceLink[] =>
  linesOf(cell).flatMap((line): SourceLink[] => {
    const [, title, url] = /^(.*\S)\s+(https?:\/\/\S+)$/i.exec(line) ?? []
    if (title === undefined || url === undefined || /https?:\/\//i.test(title))
      return splitUrls(line).map((url) => ({ title: '', url }))
    return [{ title, url }]
  })

/** Lists the cells of which an import can make nothing, such as the name of a file instead of a URL. */
export function listUnusable(table: CsvTable<ProgramField>, format: ProgramFormat): UnusedValues[] {
  const areNames = (parts: string[]) => !parts.some((part) => isNumber(part, format))
  const areUrls = (cell: string) => splitUrls(cell).every((url) => readUrl(url) !== '')
  const areLinks = (cell: string) => linksIn(cell).every(({ url }) => readUrl(url) !== '')
  const kinds: readonly (readonly [ProgramField, problem: string, isUsable: (cell: string) => boolean])[] = [
    ['track', 'is only a number', (cell) => areNames(linesOf(cell))],
    ['type', 'is only a number', (cell) => areNames(linesOf(cell))],
    ['tags', 'is only a number', (cell) => areNames(splitTags(cell))],
    ['language', 'is no known language', (cell) => readLanguage(cell) !== ''],
    ...linkFields.map(([field]) => [field, 'is no http(s) URL', areLinks] as const),
    ['photo', 'is no http(s) URL', areUrls],
  ]
  return kinds.flatMap(([field, problem, isUsable]) => {
    const unusable = table.rows.flatMap((row) => row.all(field)).filter((cell) => !isUsable(cell))
    const [first] = unusable
    const name = headingOf(table, field)
    return first === undefined ? [] : [{ name, count: unusable.length, reason: `${quote(first)} ${problem}` }]
  })
}

/** Lists the positions, companies, biographies and photos of rows that have not as many as speakers. */
export function listUnassigned(
  table: CsvTable<ProgramField>,
  rows: readonly CsvRow<ProgramField>[],
  sessions: readonly RawSession[],
): UnusedValues[] {
  return (['position', 'company', 'biography', 'photo'] as const).flatMap((field) => {
    const isAssigned = (at: number) => sessions[at]?.speakers.some(({ [field]: value = '' }) => value !== '')
    const count = rows.reduce((sum, row, at) => sum + (isAssigned(at) ? 0 : row.all(field).length), 0)
    const name = headingOf(table, field)
    return count === 0 ? [] : [{ name, count, reason: 'a row needs as many as it has speakers' }]
  })
}

const headingOf = ({ header, columns }: CsvTable<ProgramField>, field: ProgramField): string =>
  quote(header[columns.get(field)?.[0] ?? -1] ?? '')
