import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { exportedLists, exportRows } from '../../server/domains/export/export.ts'
import type { ExportedListName } from '../../server/domains/export/list-names.ts'
import { readProgram } from '../../server/domains/program-export/program.ts'
import { writeSessionsCsv } from '../../server/domains/program-export/sessions-csv.ts'
import { commandScope } from '../../server/scope.ts'
import type { ExportedRow } from '../../server/storage/db/exported-list.ts'
import { createCsvWriter, writeNewFile } from '../list-file.ts'
import { withContext } from '../with-context.ts'

interface Options {
  format: 'csv' | 'json'
  /** The file to write; standard output if omitted. */
  out?: string
}

/** `summit export LIST`: writes a whole list as CSV or JSON. */
export async function exportList(
  config: Config,
  name: ExportedListName | 'sessions',
  { format, out }: Options,
): Promise<void> {
  if (out?.trim() === '') throw new OperatorError('--out needs a file name.')
  if (name === 'sessions' && format === 'json')
    throw new OperatorError('The list “sessions” is a spreadsheet; for JSON, export the list “events”.')
  await withContext(config, async (ctx) => {
    const write = async (to: Writable) => {
      if (name === 'sessions') return pipeline([await readSpreadsheet(ctx)], to)
      const formatter = format === 'csv' ? createCsvWriter(exportedLists[name].columns) : createJsonWriter()
      return pipeline(exportRows(ctx, name), formatter, to)
    }
    await (out === undefined ? write(standardOutput()) : writeNewFile(out, write))
  })
}

const readSpreadsheet = (ctx: Context): Promise<string> =>
  ctx.database.snapshot(async (db) => writeSessionsCsv(await readProgram(commandScope(ctx, db, 'export'))))

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
