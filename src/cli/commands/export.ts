import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '../../server/core/operator-error.ts'
import type { ExportedRow } from '../../server/db/exported-list.ts'
import { exportedLists, exportRows } from '../../server/export/export.ts'
import type { ExportedListName } from '../../server/export/list-names.ts'
import { csvWriter } from '../csv-writer.ts'
import { writeNewFile } from '../new-file.ts'
import { withContext } from '../with-context.ts'

interface Options {
  format: 'csv' | 'json'
  /** The file to write; standard output without it. */
  out?: string
}

/** `summit export LIST`: writes a whole list as CSV or JSON. */
export async function exportList(name: ExportedListName, { format, out }: Options): Promise<void> {
  if (out?.trim() === '') throw new OperatorError('--out needs the name of a file.')
  await withContext(async (ctx) => {
    const rows = Readable.from(exportRows(ctx, name))
    const printed = format === 'csv' ? csvWriter(exportedLists[name].columns) : toJson()
    const write = (to: Writable) => pipeline(rows, printed, to)
    await (out === undefined ? write(standardOutput()) : writeNewFile(out, write))
  })
}

/** One array, a record a line. */
function toJson(): Transform {
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

/** Standard output is not ours to close. */
const standardOutput = (): Writable =>
  new Transform({ transform: (chunk, _encoding, done) => void process.stdout.write(chunk, () => done()) })
