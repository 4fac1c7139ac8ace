import { basename } from 'node:path'
import { OperatorError } from '../../../core/errors.ts'
import { isSpeakerTable, isVenueTable } from '../csv/directories.ts'
import { isProgramTable } from '../csv/program-csv.ts'
import { officeKindOf, readWorkbook } from '../workbook/workbook.ts'
import { isZip, readZip, type ZipEntry } from '../workbook/zip.ts'
import { type DecodedText, decodeText } from './decode-text.ts'

/** A file as decoded text, with its name for messages. */
interface NamedText extends DecodedText {
  name: string
}

/** A program, and the files that name its venues and speakers, if they are given. */
export interface ProgramFiles {
  program: NamedText
  venues?: NamedText | undefined
  speakers?: NamedText | undefined
}

/** Whether a text is a table with the headings that a file of its kind needs; it chooses the sheet of a workbook. */
type TableTest = (text: string) => boolean

/**
 * Reads the file of a program, or a zip that holds it along with the files of its venues and speakers.
 * @throws OperatorError if a file cannot be read, or the zip has no program or several
 */
export async function readProgramBytes(
  bytes: Buffer,
  name: string,
  encoding: string | undefined,
): Promise<ProgramFiles> {
  if (isZip(bytes) && (await officeKindOf(bytes, name)) === undefined) return unpack(bytes, name, encoding)
  return { program: await toNamedText(bytes, name, encoding, 'program') }
}

const tables = { program: isProgramTable, venues: isVenueTable, speakers: isSpeakerTable }

export const toNamedText = async (
  bytes: Buffer,
  name: string,
  encoding: string | undefined,
  kind: keyof typeof tables,
): Promise<NamedText> => ({ name, ...(await toText(bytes, name, encoding, tables[kind])) })

async function unpack(bytes: Buffer, name: string, encoding: string | undefined): Promise<ProgramFiles> {
  const entries = await readZip(bytes, name)
  const texts = entries.filter(({ name }) => /\.(?:csv|tsv|txt|xls[xm]|json|xml|ics)$/i.test(name))
  const named = (words: RegExp) => texts.filter(({ name }) => words.test(basename(name)))
  const [venues, ...otherVenues] = named(/venue|room|location|raum|räume/i)
  const [speakers, ...otherSpeakers] = named(/speaker|presenter|referent|people/i)
  const others = texts.filter((entry) => entry !== venues && entry !== speakers)
  const likely = others.length > 1 ? named(/program|schedule|session|agenda|event|talk|fahrplan/i) : others
  const [program] = likely
  if (program === undefined || likely.length > 1 || otherVenues.length + otherSpeakers.length > 0) {
    const list = texts.map((entry) => entry.name).join(', ') || 'none that can be read'
    throw new OperatorError(
      `${name} must contain one program, such as sessions.csv, and at most one file each of venues and speakers, such as venues.csv and speakers.csv. Its files: ${list}.`,
    )
  }
  const toNamed = (entry: ZipEntry, kind: keyof typeof tables) =>
    toNamedText(entry.bytes, `${name}/${entry.name}`, encoding, kind)
  return {
    program: await toNamed(program, 'program'),
    venues: venues && (await toNamed(venues, 'venues')),
    speakers: speakers && (await toNamed(speakers, 'speakers')),
  }
}

const saveAs = 'Open it in the program that made it, and save it as an Excel workbook (.xlsx) or as CSV.'

/** The signatures of common binary files, with advice for the organizer. */
const binaryFiles: readonly (readonly [magic: Buffer, message: string])[] = [
  [Buffer.from('ffd8ff', 'hex'), 'is an image. Photos and banners have an import of their own.'],
  [Buffer.from('89504e47', 'hex'), 'is an image. Photos and banners have an import of their own.'],
  [Buffer.from('%PDF-'), 'is a PDF, which cannot be imported. Export the data from the program that made it.'],
]

/** The beginning of documents of Office before 2007, and of newer ones that are encrypted. */
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/**
 * Reads a text in the given encoding, or detects it (see `decodeText`); of an Excel workbook, one sheet as CSV.
 * @param isTable chooses the sheet
 * @throws OperatorError if the bytes cannot be decoded, or are another document, an image or a PDF
 */
export async function toText(
  bytes: Buffer,
  name: string,
  encoding: string | undefined,
  isTable: TableTest,
): Promise<DecodedText> {
  const startsWith = (magic: Buffer) => bytes.subarray(0, magic.length).equals(magic)
  if (startsWith(compoundFile)) throw new OperatorError(`${name} ${describeCompoundFile(bytes)}`)
  const binaryFile = binaryFiles.find(([magic]) => startsWith(magic))
  if (binaryFile) throw new OperatorError(`${name} ${binaryFile[1]}`)
  if (!isZip(bytes)) return decodeText(bytes, name, encoding)
  const kind = await officeKindOf(bytes, name)
  if (kind === 'workbook') return { ...(await readWorkbook(bytes, name, isTable)), isWorkbook: true }
  if (kind === 'OpenDocument')
    throw new OperatorError(`${name} is an OpenDocument file, which cannot be read. ${saveAs}`)
  if (kind === 'other') throw new OperatorError(`${name} is an office document that cannot be read. ${saveAs}`)
  throw new OperatorError(`${name} is an archive. Unpack it, and import the file that is in it.`)
}

const describeCompoundFile = (bytes: Buffer): string =>
  bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? 'is protected by a password. Open it, remove the password, and save it again.'
    : `is an Excel workbook in the format before 2007 (.xls), which cannot be read. ${saveAs}`
