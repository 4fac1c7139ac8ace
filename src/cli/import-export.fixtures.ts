import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { sanitizeHtml } from '../server/domains/program/html.ts'

export type Cells = Record<string, string>

/** Exports a list, changes its rows as in a spreadsheet, and imports it again; what the command prints. */
export async function correct(
  t: TestApp,
  list: 'sessions' | 'participants',
  change: (rows: Cells[]) => Cells[],
  ...options: string[]
) {
  const file = join(t.dataDir, 'list.csv')
  const exported = await runSummitInProcess(['export', list], t.settings)
  const rows: Cells[] = parse(exported.out, { bom: true, columns: true })
  await writeFile(file, stringify(change(rows), { header: true, delimiter: ';' }))
  return importFile(t, list, file, ...options)
}

/** @param list sessions are a part of a program */
export const importFile = async (t: TestApp, list: 'sessions' | 'participants', file: string, ...options: string[]) => {
  const command = list === 'sessions' ? ['program', '--partial'] : [list]
  const { code, out, err } = await runSummitInProcess(['import', ...command, file, ...options], t.settings)
  return {
    code,
    out: out + err,
    changes: out.split('\n').filter((line) => /^ {2}(new|moved|retitled|changed|cancelled) {2,}(?!\d+$)\S/.test(line)),
  }
}

export const exportRows = async (t: TestApp, list: string): Promise<Cells[]> =>
  JSON.parse((await runSummitInProcess(['export', list, '--format', 'json'], t.settings)).out)

/** Changes cells of the row that has a value in a column. */
export const setCell =
  (value: string, cells: Cells, column = 'id') =>
  (rows: Cells[]) =>
    rows.map((row) => (row[column] === value ? { ...row, ...cells } : row))

/** Starts a server with an imported program, a session with a schedule of its own, and one without a date. */
export async function startWithProgram() {
  const t = await startTestApp()
  const file = join(t.dataDir, 'program.csv')
  const rows = [
    'id,title,start,end,room,speaker,position,abstract',
    'a,=Opening,2030-05-02 09:00,2030-05-02 10:00,Hall,"Cruz, Ana; Ben Day",Chair; Chair,"<p>Hello <b>all</b></p>"',
    'b,Closing,2030-05-03 17:00,2030-05-03 18:00,Hall,,,',
  ]
  await writeFile(file, rows.join('\n'))
  await runSummitInProcess(['import', 'program', file, '--apply'], t.settings)
  const texts = {
    description: sanitizeHtml('Plain <b>bold</b>\r\n\r\n '),
    location_address: '1 Main St',
    venue: 'West',
  }
  const activities = [
    { date: '2030-05-04', time: '09:00:00', title: 'Doors' },
    { date: '2030-05-04', time: '10:00:00', title: 'Talks' },
  ]
  await make.event(t, { title: 'Workshops', ...texts, banner: 'program/x.jpg', is_posted: 1 }, activities)
  await make.event(t, { title: 'Undated', date_from: null, date_to: null })
  return t
}

export const titled = (title: string, cells: Cells) => setCell(title, cells, 'Title')
