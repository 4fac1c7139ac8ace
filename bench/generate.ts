import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bannerPng } from './banner.ts'
import { generate, type Size, standardSize, type Table } from './data.ts'

/** Bytes of a table collected before they are written. */
const atOnce = 1024 * 1024

/** The folder with the data set of the standard size, written when it is first asked for. */
export function standardDataSet(): string {
  const folder = join(tmpdir(), 'summit-bench-data')
  if (!existsSync(folder)) writeDataSet(folder, standardSize)
  return folder
}

/** Writes the data set into `folder`: one ndjson file a table, and `banner.png`. */
export function writeDataSet(folder: string, size: Size): void {
  mkdirSync(folder, { recursive: true })
  const files = new Map<Table, { fd: number; text: string }>()
  for (const { table, row } of generate(size)) {
    const file = files.get(table) ?? { fd: openSync(join(folder, `${table}.ndjson`), 'w'), text: '' }
    files.set(table, file)
    file.text += `${JSON.stringify(row)}\n`
    if (file.text.length < atOnce) continue
    writeSync(file.fd, file.text)
    file.text = ''
  }
  for (const { fd, text } of files.values()) {
    writeSync(fd, text)
    closeSync(fd)
  }
  writeFileSync(join(folder, 'banner.png'), bannerPng())
}
