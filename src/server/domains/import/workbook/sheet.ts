import { toOneLine } from '../../../core/clean-text.ts'
import { maxColumns } from '../csv/csv-columns.ts'
import { lineSeparator } from '../csv/csv-table.ts'
import type { ImportWarning } from '../source.ts'
import { type NumberKind, writeNumber } from './number-format.ts'
import { readOfficeXml, WorkbookError } from './office-xml.ts'

/** Parts of a workbook that the cells of all its sheets refer to. */
export interface SharedParts {
  strings: readonly string[]
  /** By the style of a cell. */
  kinds: readonly NumberKind[]
  is1904: boolean
}

/** The cells of a sheet as CSV with commas, each line a row of the sheet. */
export interface SheetText {
  text: string
  warnings: ImportWarning[]
}

/** Beyond any list of people; Excel has a million. */
const maxRows = 100_000

/** @throws WorkbookError if it has more than can be read */
export function readSheet(bytes: Buffer, parts: SharedParts, maxCharacters: number): SheetText {
  const rows: string[][] = []
  const warnings: ImportWarning[] = []
  let size = 0
  let width = 0
  let row = 0
  let cell: Cell | undefined
  /** Where text is from: a value, a string, or undefined. */
  let textOf: 'value' | 'string' | undefined
  let isPhonetic = false

  const add = (cell: Cell): void => {
    const { column } = cell
    const problem = problemOf(cell)
    if (problem !== undefined) {
      // One for each row, of those that may have text.
      if (row <= maxRows && warnings.at(-1)?.line !== row)
        warnings.push({ line: row, message: `Cell ${columnName(column)}${row} has ${problem}` })
      return
    }
    const shown = show(cell, parts)
    if (shown.trim() === '') return
    if (row > maxRows) throw new WorkbookError(`row ${row} has text, and only ${maxRows} rows can be read`)
    if (column > maxColumns)
      throw new WorkbookError(`cell ${columnName(column)}${row} has text, and only ${maxColumns} columns can be read`)
    size += shown.length
    width = Math.max(width, column)
    if (size + rows.length * width > maxCharacters) throw new WorkbookError('it has more than 20 million characters')
    while (rows.length < row) rows.push([])
    const cells = rows[row - 1] ?? []
    while (cells.length < column) cells.push('')
    cells[column - 1] = shown
  }

  let lastColumn = 0
  readOfficeXml(bytes, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = toNumber(attributes.r) ?? row + 1
        lastColumn = 0
      } else if (name === 'c') {
        lastColumn = columnNumber(attributes.r) ?? lastColumn + 1
        const style = toNumber(attributes.s) ?? 0
        cell = { column: lastColumn, type: attributes.t, style, value: undefined, text: '', hasFormula: false }
      } else if (cell && name === 'f') cell.hasFormula = true
      else if (cell && name === 'v') {
        cell.value = ''
        textOf = 'value'
      } else if (name === 'rPh') isPhonetic = true
      else if (name === 't' && !isPhonetic) textOf = 'string'
    },
    text: (part) => {
      if (cell && textOf === 'value') cell.value += part
      else if (cell && textOf === 'string') cell.text += part
    },
    close: (name) => {
      if (name === 'v' || name === 't') textOf = undefined
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && cell) {
        add(cell)
        cell = undefined
      }
    },
  })
  return { text: rows.map((cells) => writeRow(cells, width)).join('\n'), warnings }
}

interface Cell {
  /** From 1. */
  column: number
  type: string | undefined
  style: number
  value: string | undefined
  /** Of a string within the cell. */
  text: string
  hasFormula: boolean
}

/** Why a cell has no text that can be imported, as the object of a sentence. */
function problemOf({ type, value, hasFormula }: Cell): string | undefined {
  if (type === 'e') return `the error ${toOneLine((value ?? '').slice(0, 20))}; it was read as empty.`
  return hasFormula && value === undefined
    ? 'a formula without a result; it was read as empty. Open the file in Excel or LibreOffice, and save it again.'
    : undefined
}

/** The text of a cell (ECMA-376-1, 18.18.11). */
function show({ type, style, value = '', text }: Cell, { strings, kinds, is1904 }: SharedParts): string {
  if (type === 's') return strings[toNumber(value) ?? -1] ?? ''
  if (type === 'inlineStr') return unescapeText(text)
  if (type === 'str') return unescapeText(value)
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return type === 'd' ? value : writeNumber(value, kinds[style] ?? 'number', is1904)
}

/** Excel allows 32,767. */
const maxCellCharacters = 200_000

/** Restores characters that XML cannot have: `_x000D_` is a carriage return. @throws WorkbookError if it is too long */
export function unescapeText(text: string): string {
  if (text.length > maxCellCharacters) throw new WorkbookError('a cell has more than 200,000 characters')
  return text.replace(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** As wide as the widest row, so that headings have a cell for each. An empty row is an empty line. */
const writeRow = (cells: readonly string[], width: number): string =>
  cells.length === 0 ? '' : cells.map(writeCell).join(',') + ','.repeat(width - cells.length)

/** Always in quotation marks, so that nothing else is taken for the beginning of a file of another format. */
const writeCell = (cell: string): string =>
  cell === '' ? '' : `"${cell.replaceAll('"', '""').replace(/\r\n?|\n/g, lineSeparator)}"`

const toNumber = (written: string | undefined): number | undefined =>
  written !== undefined && /^\d{1,9}$/.test(written) ? Number(written) : undefined

/** The number of the column of a reference such as `AB12`. */
function columnNumber(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? []
  return letters === undefined
    ? undefined
    : [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
}

const columnName = (column: number): string =>
  column < 1 ? '' : columnName(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))
