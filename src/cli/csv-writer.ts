import { type Stringifier, stringify } from 'csv-stringify'
import { guardFormulas } from '../server/export/formula-guard.ts'

/** Turns rows into CSV (RFC 4180) as spreadsheets open it: a byte order mark, the header, and no cell that they would run. */
export const csvWriter = (columns: readonly string[]): Stringifier =>
  stringify({
    bom: true,
    header: true,
    columns: [...columns],
    cast: { string: guardFormulas },
    record_delimiter: 'windows',
    // A line feed or carriage return by itself ends a row for most readers; it is not only our own delimiter that does.
    quote_record_delimiter: true,
  })
