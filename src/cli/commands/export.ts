import { createWriteStream } from 'node:fs'
import { Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../../server/errors.ts'
import type { ExportedListName, ExportedRow } from '../../server/exported-list.ts'
import { OperatorError } from '../../server/operator-error.ts'
import { exportedLists, exportRows } from '../../server/transfer/export.ts'
import { csvWriter } from '../csv-writer.ts'
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
    await pipeline(rows, format === 'csv' ? csvWriter(exportedLists[name].columns) : toJson(), target(out)).catch(
      (cause: unknown) => explain(cause, out),
    )
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
const target = (out: string | undefined): Writable =>
  out === undefined
    ? new Transform({ transform: (chunk, _encoding, done) => void process.stdout.write(chunk, () => done()) })
    : createWriteStream(out, { flags: 'wx' })

/** What opening the file fails with is the operator's; anything else is not. */
function explain(cause: unknown, out: string | undefined): never {
  if (hasCode(cause, 'EEXIST')) throw new OperatorError('The file exists already; export to a new one.', { cause })
  if (hasCode(cause, 'ENOENT')) throw new OperatorError(`Cannot write ${out}: there is no folder for it.`, { cause })
  throw cause
}
