import { posix } from 'node:path'
import { quote } from '../../../core/clean-text.ts'
import { OperatorError } from '../../../core/errors.ts'
import type { ImportWarning } from '../source.ts'
import { kindOfFormat, type NumberKind } from './number-format.ts'
import { readOfficeXml, WorkbookError } from './office-xml.ts'
import { readSheet, type SharedParts, type SheetText, unescapeText } from './sheet.ts'
import { readZip, type ZipEntry } from './zip.ts'

/** The kinds of documents of office programs, which are zip archives. */
export type OfficeKind = 'workbook' | 'OpenDocument' | 'other'

/** Of the XML that is read, unpacked: a list of 10,000 people has about ten, and the most takes seconds. */
const maxMegabytes = 40
/** Of all the sheets that are read: as many as a CSV file of a request can have. A hostile one repeats a text in each. */
const maxCharacters = 20_000_000

/** Tells from its content, as names are arbitrary. @throws OperatorError as `readZip` */
export async function officeKindOf(archive: Buffer, name: string): Promise<OfficeKind | undefined> {
  const signs = ['[Content_Types].xml', 'mimetype', 'Index/Document.iwa', 'Index.zip']
  const entries = await readZip(archive, name, (entry) => signs.includes(entry), maxMegabytes)
  const contents = new Map(entries.map(({ name, bytes }) => [name, bytes]))
  const types = contents.get('[Content_Types].xml')
  if (types) return workbookType.test(types.toString('latin1')) ? 'workbook' : 'other'
  const mimetype = contents.get('mimetype')
  if (mimetype) return mimetype.includes('vnd.oasis.opendocument') ? 'OpenDocument' : undefined
  return contents.size > 0 ? 'other' : undefined
}

/** Of the main part; a document may have a workbook within, too. */
const workbookType = /(?:spreadsheetml\.(?:sheet|template)|ms-excel\.(?:sheet|template)\.macroEnabled)\.main\+xml/i

interface Sheet {
  name: string
  bytes: Buffer
}

/**
 * Reads one visible sheet of an Excel workbook as CSV: the first that is such a table, or else the first that has cells.
 *
 * @param isTable whether a text has the headings that are needed
 * @throws OperatorError if it is damaged, or has more than can be read
 */
export async function readWorkbook(
  archive: Buffer,
  name: string,
  isTable: (text: string) => boolean,
): Promise<SheetText> {
  // Pictures, charts and macros are not unpacked.
  const isUsed = (entry: string) => /\.(?:xml|rels)$/i.test(entry) && !unused.test(entry)
  const entries = await readZip(archive, name, isUsed, maxMegabytes)
  try {
    const { sheets, shared } = readParts(entries)
    let first: [Sheet, SheetText] | undefined
    let characters = 0
    for (const sheet of sheets) {
      const read = readSheet(sheet.bytes, shared, maxCharacters - characters)
      characters += read.text.length
      if (read.text === '') continue
      first ??= [sheet, read]
      if (isTable(read.text)) return withOthers(sheet, read, sheets)
    }
    return first ? withOthers(...first, sheets) : { text: '', warnings: [] }
  } catch (error) {
    if (error instanceof WorkbookError) throw new OperatorError(`${name} cannot be read: ${error.message}.`)
    throw error
  }
}

const unused =
  /(?:^|\/)(?:docProps|customXml|drawings|charts|theme|tables|worksheets\/_rels|externalLinks|pivot\w+|threadedComments|persons|richData|ctrlProps)\/|\/comments\d*\.xml$/i

/** Adds which sheets were not read. */
function withOthers(sheet: Sheet, { text, warnings }: SheetText, sheets: readonly Sheet[]): SheetText {
  const others = sheets.filter((other) => other !== sheet && hasCells(other)).map(({ name }) => quote(name))
  if (others.length === 0) return { text, warnings }
  const list = [...others.slice(0, maxNamed), ...(others.length > maxNamed ? [`${others.length - maxNamed} more`] : [])]
  const message =
    `Only the sheet ${quote(sheet.name)} was read, not ${list.join(', ')}. To import another one, move it to the front, ` +
    'or save it as a file of its own.'
  return { text, warnings: [{ line: 1, message, weight: 'unused' } satisfies ImportWarning, ...warnings] }
}

const maxNamed = 10

const hasCells = ({ bytes }: Sheet): boolean => /<(?:\w{1,20}:)?[vt][\s>]/.test(bytes.toString('latin1'))

function readParts(entries: readonly ZipEntry[]): { sheets: Sheet[]; shared: SharedParts } {
  const parts = new Map(entries.map(({ name, bytes }) => [name.toLowerCase(), bytes]))
  const partAt = (path: string) => parts.get(path.toLowerCase())
  const root = relationsOf('', partAt).find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const workbook = partAt(root)
  if (!workbook)
    throw new WorkbookError('it has no part of a workbook that is XML. Save it as an Excel workbook (.xlsx)')
  const relations = relationsOf(root, partAt)
  const named = (type: string) => partAt(relations.find((relation) => relation.type === type)?.target ?? '')
  const byId = new Map(relations.map((relation) => [relation.id, relation]))
  const sheets: Sheet[] = []
  const read = new Set<Buffer>()
  let is1904 = false
  readOfficeXml(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(?:1|true|on)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
      const relation = byId.get(id)
      const bytes = relation?.type === 'worksheet' ? partAt(relation.target) : undefined
      // Each part is read once: a hostile list of sheets may repeat one.
      if (bytes && !read.has(bytes)) sheets.push({ name: attributes.name ?? '', bytes })
      if (bytes) read.add(bytes)
    },
  })
  const shared = { strings: readStrings(named('sharedStrings')), kinds: readFormats(named('styles')), is1904 }
  return { sheets, shared }
}

interface Relation {
  id: string
  /** The last segment of its URI. */
  type: string
  /** A path within the archive. */
  target: string
}

/** The relations of a part; of the archive itself, if the path is empty. */
function relationsOf(path: string, partAt: (path: string) => Buffer | undefined): Relation[] {
  const folder = posix.dirname(path)
  const bytes = partAt(posix.join(folder, '_rels', `${posix.basename(path)}.rels`))
  const relations: Relation[] = []
  if (bytes)
    readOfficeXml(bytes, {
      open: (name, { Id = '', Type = '', Target = '' }) => {
        if (name !== 'Relationship') return
        const target = posix.join('/', Target.startsWith('/') ? '' : folder, Target).slice(1)
        relations.push({ id: Id, type: posix.basename(Type), target })
      },
    })
  return relations
}

/** Each with its runs joined, without the pronunciation of Japanese. */
function readStrings(bytes: Buffer | undefined): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  let isPhonetic = false
  if (bytes)
    readOfficeXml(bytes, {
      open: (name) => {
        if (name === 'si') text = ''
        else if (name === 'rPh') isPhonetic = true
        else if (name === 't') isText = !isPhonetic
      },
      text: (part) => {
        if (isText) text += part
      },
      close: (name) => {
        if (name === 'si') strings.push(unescapeText(text))
        else if (name === 'rPh') isPhonetic = false
        else if (name === 't') isText = false
      },
    })
  return strings
}

/** What numbers are, by the style of their cell. */
function readFormats(bytes: Buffer | undefined): SharedParts['kinds'] {
  const codes = new Map<number, string>()
  const kinds: NumberKind[] = []
  let isCellStyle = false
  if (bytes)
    readOfficeXml(bytes, {
      open: (name, { numFmtId, formatCode }) => {
        const id = Number(numFmtId ?? 0)
        if (name === 'numFmt' && formatCode !== undefined) codes.set(id, formatCode)
        else if (name === 'cellXfs') isCellStyle = true
        else if (name === 'xf' && isCellStyle) kinds.push(kindOfFormat(id, codes.get(id)))
      },
      close: (name) => {
        if (name === 'cellXfs') isCellStyle = false
      },
    })
  return kinds
}
