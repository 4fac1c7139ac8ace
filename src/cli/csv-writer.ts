import { type Stringifier, stringify } from 'csv-stringify'
import { guardFormulas } from '../server/domains/export/formula-guard.ts'

/** Formats rows as CSV (RFC 4180) for spreadsheets: with a byte order mark, a header, and formulas escaped. */
export const createCsvWriter = (columns: readonly string[]): Stringifier =>
  stringify({
    bom: true,
    header: true,
    columns: [...columns],
    cast: { string: guardFormulas },
    record_delimiter: 'windows',
    // Quotes cells with a lone line feed or carriage return, which many readers take for the end of a row.
    quote_record_delimiter: true,
  })
