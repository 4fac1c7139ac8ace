import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { bannerPng } from './banner.ts'
import { generate, type Size, type Table } from './data.ts'

/** Bytes of a table collected before they are written. */
const atOnce = 1024 * 1024

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
