import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { type FailureReason, failures, retryAfterSeconds } from '../src/contract/failures.ts'
import { defaultLimits } from '../src/contract/limits.ts'
import { openApi } from '../src/contract/openapi.ts'
import { type SettingName, Settings } from '../src/server/config/settings.ts'
import type { HeaderSynonyms } from '../src/server/domains/import/csv/csv-columns.ts'
import { type ParticipantColumn, participantColumns } from '../src/server/domains/import/csv/participant-columns.ts'
import { genders } from '../src/server/domains/import/csv/participants-csv.ts'
import { type ProgramField, programColumns } from '../src/server/domains/import/csv/program-columns.ts'

/** `npm run generate`: writes the documents generated from the code; with `--check`, fails if one is out of date. */

const notice = 'Generated from the code by `npm run generate`; do not edit.'

/** A Markdown table; bars in cells are escaped. */
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

/** The settings by which an operator can allow what failed. */
const settingsOf: Partial<Record<FailureReason, SettingName[]>> = {
  UNKNOWN_HOST: ['PUBLIC_URL'],
  CROSS_ORIGIN: ['CORS_ORIGINS'],
  TOO_LARGE: ['MAX_JSON_BYTES', 'MAX_FILE_BYTES'],
  TOO_MANY_FILES: ['MAX_FILES'],
  TOO_MANY_WRITES: ['WRITES_PER_MINUTE'],
}

/** A `Retry-After` that depends on earlier requests. */
const computedRetries: Partial<Record<FailureReason, string>> = {
  TOO_MANY_ATTEMPTS: 'until the next code',
  TOO_MANY_WRITES: 'until the next write',
}

function failuresPage(): string {
  const rows = (Object.keys(failures) as FailureReason[]).map((reason) => {
    const { code, message } = failures[reason]
    const seconds = retryAfterSeconds[reason]
    const retry = seconds === undefined ? (computedRetries[reason] ?? '') : `${seconds} s`
    const settings = settingsOf[reason]?.map((name) => `\`${name}\``).join(', ') ?? ''
    return [String(code), `\`${reason}\``, message, retry, settings]
  })
  return [
    '# Failures',
    '',
    `The \`response_code\` is the equivalent HTTP status times ten plus a variant. ${notice}`,
    '',
    table(['response_code', 'reason', 'message', 'Retry-After', 'setting of the operator'], rows),
    '',
  ].join('\n')
}

function configPage(): string {
  const rows = Object.entries(Settings.properties).map(([name, schema]) => {
    const { default: value, description } = { default: '', description: '', ...schema }
    return [`\`${name}\``, value === '' ? '' : `\`${value}\``, description]
  })
  return [
    '# Configuration',
    '',
    `Write settings into \`summit.env\` or set environment variables, which take precedence ([operate/settings.md](operate/settings.md)). \`summit config\` prints them with their values and sources. ${notice}`,
    '',
    table(['variable', 'default', 'description'], rows),
    '',
  ].join('\n')
}

const programFieldLabels: Record<ProgramField, string> = {
  summitId: 'id in a spreadsheet of Summit, where speakers are separated by semicolons only',
  summitModified: 'when it was last changed, in the same',
  guid: 'id (first choice)',
  code: 'id (second choice)',
  id: 'id (third choice)',
  title: 'title',
  sessionTitle: 'title, if there is none of a talk or paper',
  subtitle: 'subtitle',
  day: 'date, or the conference day',
  start: 'start: a time, or a date with a time, or a range such as `09:00 – 10:30`',
  endDay: 'date of the end',
  end: 'end: a time, or a date with a time',
  duration: 'duration: minutes (hours if the heading says so), `1:30`, `90 min` or `PT1H30M`',
  allDay: 'an event of a whole day, which is left out: `yes`, `x`, `1`, `true`',
  room: 'room',
  firstName: "speaker's first name",
  lastName: "speaker's last name",
  position: "speakers' position",
  company: "speakers' company",
  speaker: 'speakers',
  abstract: 'description',
  long: 'details',
  status: 'status',
  cancelled: 'cancelled: `yes`, `x`, `1`, `true`',
  active: 'active: a session with `no`, `n`, `0` or `false` is left out',
  track: 'track',
  type: 'type or format',
  language: 'language: its name or tag, such as `German`, `Deutsch` or `de`',
  tags: 'tags: separated by semicolons, bars or line breaks, else by commas',
  link: 'link to the page of the session',
  origin: 'link to the submission',
  feedback: 'link to a form for feedback',
  stream: 'link to the live stream',
  recording: 'link to the recording',
  attachment: 'links to attachments: a title and an http(s) URL in each line',
  related: 'related links, likewise',
  slug: 'part of the URL of the session',
  license: 'licence',
  doNotRecord: 'not to be recorded: `yes`, `x`, `1`, `true`',
  biography: "speakers' biographies, a column for each speaker",
  photo: "speakers' photos, a column for each speaker: http(s) URLs",
}

const participantFieldLabels: Record<ParticipantColumn, string> = {
  email: 'e-mail address',
  employee_no: 'employee number',
  first_name: 'first name',
  last_name: 'last name',
  full_name: 'full name',
  designation: 'designation',
  mobile_no: 'mobile number',
  status: 'status: a row of somebody who does not attend, or may not, is left out',
  gender: `gender: ${genders.map(([letter, words]) => `\`${letter}\` for ${words.join(', ')}`).join('; ')}; anything else is imported unchanged`,
  photo: 'photo: an http(s) URL',
}

const headings = <Field extends string>(columns: HeaderSynonyms<Field>, labels: Record<Field, string>): string =>
  table(
    ['field', 'headings, most likely first'],
    columns.map(([field, names, multiple]) => [`${labels[field]}${multiple ? ' (*)' : ''}`, names.join(', ')]),
  )

const headingsPage = (): string =>
  [
    '# Headings in spreadsheets',
    '',
    `The column headings that \`summit import\` recognizes in a spreadsheet. ${notice}`,
    '',
    'Case, accents, punctuation, text in brackets and a number at the end are ignored: `startsAt`, `Starts at` and',
    '`STARTS AT (local)` are the same. If several columns match a field, the one with the most likely heading is used. Of',
    'columns with equal or numbered headings, the first non-empty cell is used, or all of them for fields marked (*).',
    'Unused columns are listed in a warning of the plan. For date and time formats see [operate/imports-times.md](operate/imports-times.md#dates-and-times-in-csv).',
    '',
    'Other headings of a program are recognized by their words, in any order: `Time Start`, `event_start_time` and',
    '`Start time of session` are the start, `Room/Location` is the room, `event_key` the id. Words such as event, session,',
    'required or optional do not count, and neither does an instruction after a colon, dash or line break.',
    '',
    '## Program',
    '',
    headings(programColumns, programFieldLabels),
    '',
    '## Participants',
    '',
    'Other headings of participants are recognized by their words, too: `Your e-mail address`, `What is your name?`,',
    '`Name (Last)`. Words for the person, such as attendee, participant, guest, delegate, ticket holder or your, make a',
    'heading the likeliest: next to `Attendee email` or `Ticket Email`, `Email` is that of the buyer and not used, nor is the',
    'phone number next to it. Columns of somebody else (buyer, order, billing, invoice, booker, emergency contact) are never',
    'used. `Ticket name` and `Ticket ID` are those of the ticket.',
    '',
    'Every column with a status is read: `Attendee Status`, `Order Status`, `RSVP`, `Will you attend?`, `Cancelled`,',
    '`Void Status`.',
    '',
    headings(participantColumns, participantFieldLabels),
    '',
  ].join('\n')

const documents = {
  'openapi.json': `${JSON.stringify(openApi({ limits: defaultLimits, version: packageJson.version, serverUrl: '/', access: 'open' }), null, 2)}\n`,
  'failures.md': failuresPage(),
  'config.md': configPage(),
  'headings.md': headingsPage(),
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [name, text] of Object.entries(documents)) {
  const path = join(import.meta.dirname, '../docs', name)
  if (!check) await writeFile(path, text)
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) stale.push(name)
}
if (stale.length > 0) {
  console.error(`Out of date: docs/${stale.join(', docs/')}. Run: npm run generate`)
  process.exit(1)
}
