import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { exportedLists, exportRows } from '../../server/domains/export/export.ts'
import type { ExportedListName } from '../../server/domains/export/list-names.ts'
import type { ExportedRow } from '../../server/storage/db/exported-list.ts'
import { createCsvWriter, writeNewFile } from '../list-file.ts'
import { withContext } from '../with-context.ts'

interface Options {
  format: 'csv' | 'json'
  /** The file to write; standard output if omitted. */
  out?: string
}

/** `summit export LIST`: writes a whole list as CSV or JSON. */
export async function exportList(config: Config, name: ExportedListName, { format, out }: Options): Promise<void> {
  if (out?.trim() === '') throw new OperatorError('--out needs a file name.')
  await withContext(config, async (ctx) => {
    const rows = Readable.from(exportRows(ctx, name))
    const formatter = format === 'csv' ? createCsvWriter(exportedLists[name].columns) : createJsonWriter()
    const write = (to: Writable) => pipeline(rows, formatter, to)
    await (out === undefined ? write(standardOutput()) : writeNewFile(out, write))
  })
}

/** Formats rows as one JSON array with a row per line. */
function createJsonWriter(): Transform {
  let separator = '[\n'
  return new Transform({
    writableObjectMode: true,
    transform(row: ExportedRow, _encoding, done) {
      done(null, separator + JSON.stringify(row))
      separator = ',\n'
    },
    flush(done) {
      done(null, separator === '[\n' ? '[]\n' : '\n]\n')
    },
  })
}

/** A stream to standard output that does not close it. */
const standardOutput = (): Writable =>
  new Transform({ transform: (chunk, _encoding, done) => void process.stdout.write(chunk, () => done()) })
