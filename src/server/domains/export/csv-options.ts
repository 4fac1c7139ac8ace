import type { Options } from 'csv-stringify'
import { guardFormulas } from './formula-guard.ts'

/** How rows are written as CSV (RFC 4180) for spreadsheets: with a byte order mark, a header, and formulas escaped. */
export const csvOptions = (columns: readonly string[]) =>
  ({
    bom: true,
    header: true,
    columns: [...columns],
    cast: { string: guardFormulas },
    record_delimiter: 'windows',
    // Quotes cells with a lone line feed or carriage return, which many readers take for the end of a row.
    quote_record_delimiter: true,
  }) satisfies Options
