/**
 * A spreadsheet runs a cell as a formula when the first thing that it sees therein is one of these (OWASP, CSV
 * injection); full-width ones count in some. White space and characters without a shape before it are not seen.
 */
const formula = /^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u

/** The cell with an apostrophe in front where a spreadsheet would run it; see {@link unguarded}. */
export const guarded = (cell: string): string => (formula.test(cell.replace(/^'+/, '')) ? `'${cell}` : cell)

/** The cell without the apostrophe that {@link guarded}, or another program's export, put in front. */
export const unguarded = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.replace(/^'+/, '')) ? cell.slice(1) : cell
