import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'

export type Cells = Record<string, string>

/** Exports a list, changes its rows as in a spreadsheet, and imports it again; what the command prints. */
export async function correct(
  t: TestApp,
  list: 'events' | 'participants',
  change: (rows: Cells[]) => Cells[],
  ...options: string[]
) {
  const file = join(t.dataDir, 'list.csv')
  const exported = await runSummitInProcess(['export', list], t.settings)
  const rows: Cells[] = parse(exported.out, { bom: true, columns: true })
  await writeFile(file, stringify(change(rows), { header: true, delimiter: ';' }))
  return importFile(t, list, file, ...options)
}

export const importFile = async (t: TestApp, list: 'events' | 'participants', file: string, ...options: string[]) => {
  const { code, out, err } = await runSummitInProcess(
    ['import', list === 'events' ? 'program' : list, file, ...options],
    t.settings,
  )
  return {
    code,
    out: out + err,
    changes: out.split('\n').filter((line) => /^ {2}(new|moved|retitled|changed|cancelled) +(?!\d+$)\S/.test(line)),
  }
}

export const exportRows = async (t: TestApp, list: string): Promise<Cells[]> =>
  JSON.parse((await runSummitInProcess(['export', list, '--format', 'json'], t.settings)).out)

export const setCell = (id: number, cells: Cells) => (rows: Cells[]) =>
  rows.map((row) => (row.id === String(id) ? { ...row, ...cells } : row))
