import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'

/** Imports a CSV file with these rows. */
export async function importRows(t: TestApp, name: string, [header, ...rows]: readonly string[], ...options: string[]) {
  const file = join(t.dataDir, name)
  await writeFile(file, [header, ...rows].join('\n'))
  return runSummitInProcess(['import', 'program', file, ...options], t.settings)
}

/** The program as attendees see it: title and start of each session, those that are cancelled with their mark. */
export const seen = async (t: TestApp) =>
  (await t.client.listEvents({ offset: 0, limit: 1000 })).events
    .map(({ title, date }) => `${title} ${date.date_from?.slice(5, 16)}`)
    .toSorted()

export const columns = 'title,start,room,speaker'

export const day1 = [
  columns,
  'Opening,2030-05-01 09:00,Hall,Ana Cruz',
  'Lunch,2030-05-01 12:00,Foyer,',
  ...Array.from({ length: 9 }, (_, n) => `Talk ${n},2030-05-01 1${n}:30,Lab ${n},Speaker ${n}`),
  'Dinner,2030-05-01 19:00,Foyer,',
]

export const day2 = [
  columns,
  ...Array.from({ length: 6 }, (_, n) => `Workshop ${n},2030-05-02 1${n}:00,Lab ${n},Speaker ${n}`),
  'Lunch,2030-05-02 12:00,Foyer,',
  'Thank you,2030-05-02 17:00,Hall,Ana Cruz',
]

/** A file with numbers of rows as ids. */
export const numbered = ([header, ...rows]: readonly string[]) => [
  `id,${header}`,
  ...rows.map((row, n) => `${n + 1},${row}`),
]

export const starts = ([, ...rows]: readonly string[]) =>
  rows.map((row) => `${row.split(',')[0]} ${row.split(',')[1]?.slice(5)}`)

/** The commands that the plan offers, as they are typed, with the path of the file for `…`. */
export const offered = (out: string) =>
  [...out.matchAll(/^ {6}npm run summit -- .*?(\S+\.csv.*)$/gm)].map(([, rest]) => rest)

/** A program with this many sessions on one day, with letters as ids. */
export const program = (count: number, title = 'Talk') => [
  `id,${columns}`,
  ...Array.from({ length: count }, (_, n) => `i${n},${title} ${n},2030-05-01 09:${10 + n},Hall ${n % 2},Speaker ${n}`),
]
