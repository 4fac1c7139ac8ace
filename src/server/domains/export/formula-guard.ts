/**
 * A spreadsheet runs a cell as a formula when its first significant character is one of these (OWASP, CSV injection);
 * some spreadsheets accept the full-width forms. White space, invisible characters and quotes before it are skipped.
 * Text that begins like `-)`, as smileys do, is never a formula.
 */
const formula = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20](?!\))`

/**
 * Where a formula may begin: at the start of the cell, or within it. A spreadsheet that splits cells at another
 * character than the comma (Excel in many locales) does not recognize our quotes, and starts a new cell there. The
 * pattern does not scan the same white space again for each tab and line break in it.
 */
const opening = String.raw`(?:^(?=[\s\p{C}"']*${formula})|(?<=[\r\n\t;\|])(?=[[\s\p{C}"']--[\r\n\t]]*${formula}))`
const unguardedOpening = new RegExp(opening, 'gv')
const guardedOpening = new RegExp(`${opening}'`, 'gv')

/** Puts an apostrophe wherever a spreadsheet would start to run the cell; see {@link unguardFormulas}. */
export const guardFormulas = (cell: string): string => cell.replace(unguardedOpening, "'")

/** Removes the apostrophes that {@link guardFormulas}, or the export of another program, put there. */
export const unguardFormulas = (cell: string): string => cell.replace(guardedOpening, '')
