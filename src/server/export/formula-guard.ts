/**
 * A spreadsheet runs a cell as a formula when the first thing that it sees therein is one of these (OWASP, CSV
 * injection); full-width ones count in some. White space, characters without a shape and quotes before it are not seen.
 * Nothing that begins like `-)`, of which smileys are made, is a formula.
 */
const formula = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20](?!\))`

/**
 * Where a formula may begin: with the cell, or within it, as a spreadsheet that parts cells at another character than
 * the comma (Excel in many languages) finds no quotes where they count, and begins a cell there. Blanks are not gone
 * through anew for each tab and line break among them.
 */
const opening = String.raw`(?:^(?=[\s\p{C}"']*${formula})|(?<=[\r\n\t;\|])(?=[[\s\p{C}"']--[\r\n\t]]*${formula}))`
const unguardedOpening = new RegExp(opening, 'gv')
const guardedOpening = new RegExp(`${opening}'`, 'gv')

/** The cell with an apostrophe wherever a spreadsheet would begin to run it; see {@link unguarded}. */
export const guarded = (cell: string): string => cell.replace(unguardedOpening, "'")

/** The cell without the apostrophes that {@link guarded}, or another program's export, put there. */
export const unguarded = (cell: string): string => cell.replace(guardedOpening, '')
