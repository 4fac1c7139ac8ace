import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A text, a number, a number in a style of `formats`, the XML within a `c` element, or an empty cell. */
type Cell = string | number | { number: number; style: number } | { attributes?: string; xml: string } | null

interface Parts {
  /** Codes of number formats, which are the styles from 1. */
  formats?: readonly string[]
  strings?: readonly string[]
  /** Attributes of the properties of the workbook. */
  properties?: string
  /** By the name of their sheet. */
  states?: Record<string, 'hidden' | 'veryHidden'>
  /** Other parts, or those that take the place of one. */
  files?: Record<string, string | Buffer>
}

export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const writeCell = (cell: Cell, reference: string): string => {
  if (cell === null) return ''
  const of = `<c r="${reference}"`
  if (typeof cell === 'string') return `${of} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
  if (typeof cell === 'number') return `${of}><v>${cell}</v></c>`
  if ('number' in cell) return `${of} s="${cell.style}"><v>${cell.number}</v></c>`
  return `${of} ${cell.attributes ?? ''}>${cell.xml}</c>`
}

export const sheetOf = (rows: readonly (readonly Cell[])[]): string => {
  const lines = rows.map((cells, row) => {
    const all = cells.map((cell, column) => writeCell(cell, `${String.fromCharCode(65 + column)}${row + 1}`))
    return `<row r="${row + 1}">${all.join('')}</row>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`
}

const officeType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (targets: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${officeType}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** An Excel workbook of sheets by their names, as Office Open XML has it (ECMA-376-1). */
export function workbookOf(
  sheets: Record<string, readonly (readonly Cell[])[]>,
  { formats = [], strings = [], properties = '', states = {}, files = {} }: Parts = {},
): Promise<Buffer> {
  const names = Object.keys(sheets)
  const list = names.map((name, at) => {
    const state = states[name] ? ` state="${states[name]}"` : ''
    return `<sheet name="${escapeXml(name)}" sheetId="${at + 1}"${state} r:id="sheet${at + 1}"/>`
  })
  const styles = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code)}"/>`)
  const xfs = [0, ...formats.map((_, at) => 164 + at)].map((id) => `<xf numFmtId="${id}"/>`)
  return zipOf({
    '[Content_Types].xml':
      '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    '_rels/.rels': relations({ a: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook><workbookPr ${properties}/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(names.map((_, at) => [`sheet${at + 1}`, ['worksheet', `worksheets/sheet${at + 1}.xml`]])),
      styles: ['styles', 'styles.xml'],
      strings: ['sharedStrings', '/xl/sharedStrings.xml'],
    }),
    'xl/styles.xml': `<styleSheet><numFmts>${styles.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((xml) => `<si>${xml}</si>`).join('')}</sst>`,
    ...Object.fromEntries(names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetOf(sheets[name] ?? [])])),
    ...files,
  })
}
