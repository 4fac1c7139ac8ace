import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { failures, retryAfterSeconds } from '../src/contract/failures.ts'
import { defaultLimits } from '../src/contract/limits.ts'
import { openApi } from '../src/contract/openapi.ts'
import { Settings } from '../src/server/config.ts'
import type { Synonyms } from '../src/server/import/formats/csv-columns.ts'
import { type ParticipantColumn, participantColumns } from '../src/server/import/formats/participant-columns.ts'
import { genders } from '../src/server/import/formats/participants-csv.ts'
import { type ProgramField, programColumns } from '../src/server/import/formats/program-columns.ts'

/** `npm run generate`: writes the documents that are made from the code; with `--check`, fails if one is not as it would be. */

const made = 'Made from the code by `npm run generate`; change it there.'

/** A Markdown table; a bar in a cell would end it. */
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')

function failuresPage(): string {
  const rows = Object.entries(failures).map(([reason, { code, message }]) => {
    const retry = reason in retryAfterSeconds ? `${retryAfterSeconds[reason as keyof typeof failures]} s` : ''
    return [String(code), `\`${reason}\``, message, retry]
  })
  return [
    '# Failures',
    '',
    `The \`response_code\` is the equivalent HTTP status times ten plus a variant. ${made}`,
    '',
    table(['response_code', 'reason', 'message', 'Retry-After'], rows),
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
    `Every setting is an environment variable; \`npm run summit -- config\` prints them with their values. ${made}`,
    '',
    table(['variable', 'default', 'what it is'], rows),
    '',
  ].join('\n')
}

const programMeanings: Record<ProgramField, string> = {
  guid: 'id, if there are several the best',
  code: 'id, the second best',
  id: 'id, the third best',
  title: 'title',
  subtitle: 'subtitle',
  day: 'date, or the conference day',
  start: 'start: a time, or a date with a time, or a range such as `09:00 – 10:30`',
  endDay: 'date of the end',
  end: 'end: a time, or a date with a time',
  duration: 'duration: minutes, `1:30`, `90 min` or `PT1H30M`',
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
}

const participantMeanings: Record<ParticipantColumn, string> = {
  email: 'e-mail address',
  employee_no: 'employee number',
  first_name: 'first name',
  last_name: 'last name',
  full_name: 'full name',
  designation: 'designation',
  mobile_no: 'mobile number',
  gender: `gender: ${genders.map(([letter, words]) => `\`${letter}\` for ${words.join(', ')}`).join('; ')}; else as it is`,
  photo: 'photo: an http(s) URL',
}

const headings = <Field extends string>(columns: Synonyms<Field>, meanings: Record<Field, string>): string =>
  table(
    ['what it is', 'headings, the likeliest first'],
    columns.map(([field, names, several]) => [`${meanings[field]}${several ? ' (*)' : ''}`, names.join(', ')]),
  )

const headingsPage = (): string =>
  [
    '# Headings in CSV',
    '',
    `Under which headings \`summit import\` takes what out of a CSV file. ${made}`,
    '',
    'Case, accents, punctuation and what is in brackets do not count, nor does a number at the end: `startsAt`,',
    '`Starts at` and `STARTS AT (local)` are the same. Of several columns for one thing the likeliest heading counts; of',
    'columns with the same or numbered headings the first cell that is filled, or all of them with (*). What is not used',
    'is named in a remark of the plan. How dates and times are written: [operate.md](operate.md#csv).',
    '',
    '## Program',
    '',
    headings(programColumns, programMeanings),
    '',
    '## Participants',
    '',
    headings(participantColumns, participantMeanings),
    '',
  ].join('\n')

const documents = {
  'openapi.json': `${JSON.stringify(openApi(defaultLimits, packageJson.version, '/'), null, 2)}\n`,
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
  console.error(`Not as the code would make them: docs/${stale.join(', docs/')}. Run: npm run generate`)
  process.exit(1)
}
