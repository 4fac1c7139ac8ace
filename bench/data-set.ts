import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bannerPng } from './banner.ts'
import { type DataSetSize, generateRows, standardSize, type Table } from './rows.ts'

/** Characters of a table that are buffered before they are written. */
const bufferSize = 1024 * 1024

/** @returns the folder with the data set of the standard size, which the first call writes */
export function standardDataSet(): string {
  const folder = join(tmpdir(), 'summit-bench-data')
  if (!existsSync(folder)) writeDataSet(folder, standardSize)
  return folder
}

/** Writes the data set into `folder`: one NDJSON file per table, and `banner.png`. */
export function writeDataSet(folder: string, size: DataSetSize): void {
  mkdirSync(folder, { recursive: true })
  const files = new Map<Table, { fd: number; text: string }>()
  for (const { table, row } of generateRows(size)) {
    const file = files.get(table) ?? { fd: openSync(join(folder, `${table}.ndjson`), 'w'), text: '' }
    files.set(table, file)
    file.text += `${JSON.stringify(row)}\n`
    if (file.text.length < bufferSize) continue
    writeSync(file.fd, file.text)
    file.text = ''
  }
  for (const { fd, text } of files.values()) {
    writeSync(fd, text)
    closeSync(fd)
  }
  writeFileSync(join(folder, 'banner.png'), bannerPng())
}
