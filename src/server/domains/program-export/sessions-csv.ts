import { stringify } from 'csv-stringify/sync'
import { csvOptions } from '../export/csv-options.ts'
import { asHtml } from './frab-values.ts'
import type { Program, ProgramEvent, ProgramSpeaker } from './program.ts'

/** The columns, with headings by which an import recognizes them. */
const columns: Readonly<Record<string, (event: ProgramEvent, nameOf: NameOf) => string>> = {
  'Summit ID': ({ guid }) => guid,
  Title: ({ title }) => title,
  Subtitle: ({ subtitle }) => subtitle,
  Status: ({ is_cancelled }) => (is_cancelled ? 'cancelled' : ''),
  Day: ({ day }) => day,
  Start: ({ starts_at }) => formatCell(starts_at),
  End: ({ ends_at }) => formatCell(ends_at),
  Room: ({ room }) => room?.name ?? '',
  Track: ({ track }) => track?.name ?? '',
  Type: ({ type }) => type,
  Language: ({ language }) => language,
  Speakers: ({ speakers }, nameOf) => speakers.map(nameOf).join('; '),
  Position: ({ speakers }) => ofEach(speakers, 'position'),
  Company: ({ speakers }) => ofEach(speakers, 'company'),
  Abstract: ({ description }) => asHtml(description),
  'Long description': ({ details }) => asHtml(details),
  Tags: ({ tags }) => tags.map(toPart).join('; '),
  URL: linksIn('page'),
  'Origin URL': linksIn('origin'),
  'Feedback URL': linksIn('feedback'),
  'Stream URL': linksIn('stream'),
  'Recording URL': linksIn('recording'),
  Attachments: linksIn('attachment'),
  'Related links': linksIn('related'),
  Code: ({ code }) => code,
  Slug: ({ slug }) => slug,
  License: ({ license }) => license,
  'Do not record': ({ do_not_record }) => (do_not_record ? 'yes' : ''),
  // In a form that spreadsheets leave alone: an import compares it.
  'Summit modified': ({ changedAt }) => new Date(changedAt).toISOString().replace(/\.\d+/, ''),
}

type NameOf = (speaker: ProgramSpeaker) => string

/**
 * Writes `sessions.csv`, a spreadsheet with a row for each event, that an organizer edits and imports again. Speakers who
 * have the name of another have their UUID behind it.
 */
export function writeSessionsCsv({ events, speakers }: Program): string {
  const named = Map.groupBy(speakers, ({ name }) => name.toLowerCase())
  const nameOf = ({ name, guid }: ProgramSpeaker): string =>
    (named.get(name.toLowerCase()) ?? []).length > 1 ? `${toPart(name)} [${guid}]` : toPart(name)
  const rows = events.map((event) => Object.values(columns).map((cellOf) => cellOf(event, nameOf)))
  return stringify(rows, csvOptions(Object.keys(columns)))
}

/** Local time at the venue, as spreadsheets recognize it. */
const formatCell = (time: string): string => time.slice(0, 19).replace('T', ' ').replace(/:00$/, '')

/** As many parts as there are speakers; empty if nothing is known of any. */
function ofEach(speakers: readonly ProgramSpeaker[], member: 'position' | 'company'): string {
  const values = speakers.map((speaker) => toPart(speaker[member]))
  return values.every((value) => value === '') ? '' : values.join('; ')
}

/** A semicolon would begin another. */
const toPart = (value: string): string => value.replaceAll(';', ',')

/** A link in each line, after its title. */
function linksIn(relation: string) {
  return ({ links }: ProgramEvent): string =>
    links
      .filter(({ rel }) => rel === relation)
      .map(({ title, url }) => (title === '' ? url : `${title} ${url}`))
      .join('\n')
}
