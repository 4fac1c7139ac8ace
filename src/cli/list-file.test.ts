import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'
import { noSmallDisk, SmallDisk } from '../../test/faults/small-disk.ts'
import * as make from '../../test/make.ts'
import { guardFormulas, unguardFormulas } from '../server/domains/export/formula-guard.ts'
import { createCsvWriter, writeNewFile } from './list-file.ts'

if (noSmallDisk) console.warn(`skipped: ${noSmallDisk}`)

test.skipIf(noSmallDisk)(
  'an export to a full disk fails with the name of the file, and leaves no partial file',
  async () => {
    await using t = await startTestApp()
    await make.topic(t)
    using disk = new SmallDisk()
    const out = join(disk.dir, 'topics.csv')
    const exportTopics = () => runSummitInProcess(['export', 'topics', '--out', out], t.settings)
    disk.fillUp()
    expect(await exportTopics()).toEqual({ code: 1, out: '', err: `Cannot write ${out}: the disk is full.\n` })
    expect(existsSync(out)).toBe(false)
    disk.freeSpace()
    expect(await exportTopics()).toMatchObject({ code: 0, err: '' })
  },
)

test('an error of a connection is not reported as an error of the file', async () => {
  await using folder = await createDataFolder()
  const out = join(folder.dir, 'topics.csv')
  const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' })
  await expect(writeNewFile(out, () => Promise.reject(lost))).rejects.toBe(lost)
  expect(existsSync(out)).toBe(false)
})

const troublesome = [
  '\n=cmd|x!A1',
  ';=1',
  'x; \'\t"-1',
  '\r\n\n|+1',
  '\r=1',
  'a\r\nb',
  'a\nb',
  '"',
  '""',
  ',',
  ';',
  "'",
  "'=1",
  '',
  ' ',
  '\u{feff}=1',
  '-',
]

async function formatCsv(rows: Record<string, string | number | null>[]): Promise<string> {
  const writer = createCsvWriter(['id', 'first', 'second'])
  for (const row of rows) writer.write(row)
  writer.end()
  return text(writer)
}

test('rows with any content are read back unchanged, regardless of the line ends that the reader accepts', async () => {
  const cell = fc.oneof(fc.constantFrom(...troublesome), fc.string({ unit: 'grapheme' }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell)), async (cells) => {
      const csv = await formatCsv(cells.map(([first, second], id) => ({ id, first, second })))
      for (const record_delimiter of [['\r\n'], ['\r\n', '\n', '\r']]) {
        const [header, ...rows] = parse(csv, { bom: true, record_delimiter })
        expect(header).toEqual(['id', 'first', 'second'])
        expect(rows).toEqual(
          cells.map(([first, second], id) => [String(id), guardFormulas(first), guardFormulas(second)]),
        )
        expect(rows.map((row) => row.slice(1).map(unguardFormulas))).toEqual(cells)
      }
    }),
  )
})

test.each([
  ['=1+1', "'=1+1"],
  ['\n=cmd|x!A1', "'\n'=cmd|x!A1"],
  [' \t\u200b@SUM(A1)', "' \t'\u200b@SUM(A1)"],
  ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
  ['x; "=1\t-2|+3', "x;' \"=1\t'-2|'+3"],
  ['x\r\n@SUM(A1)', "x\r\n'@SUM(A1)"],
  ["x;'=1", "x;''=1"],
  ['Thanks ;-) a;b a=b', 'Thanks ;-) a;b a=b'],
  ['＝1', "'＝1"],
  ['+47 1', "'+47 1"],
  ["'=1", "''=1"],
  ["it's 1+1", "it's 1+1"],
  ["'tis", "'tis"],
])('the formula in %j is escaped: %j', (cell, guardedCell) => {
  expect(guardFormulas(cell)).toBe(guardedCell)
  expect(unguardFormulas(guardedCell)).toBe(cell)
})
