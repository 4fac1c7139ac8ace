import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { messageOf, OperatorError } from '../../../core/errors.ts'
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

const isZip = (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'PK\x03\x04'

/** Workbooks are archives, too. */
const isWorkbook = (entries: readonly ZipEntry[]) =>
  entries.some(({ name }) => name === '[Content_Types].xml' || name === 'content.xml')

/**
 * Reads the file of a program, or a zip that holds it along with the files of its venues and speakers.
 * @throws OperatorError if a file cannot be read, or the zip has no program or several
 */
export async function readProgramBytes(
  bytes: Buffer,
  name: string,
  encoding: string | undefined,
): Promise<ProgramFiles> {
  if (isZip(bytes) && !/\.(?:xlsx|xlsm|ods)$/i.test(name)) return unpack(bytes, name, encoding)
  return { program: toNamedText(bytes, name, encoding) }
}

export const toNamedText = (bytes: Buffer, name: string, encoding: string | undefined): NamedText => ({
  name,
  ...toText(bytes, name, encoding),
})

async function unpack(bytes: Buffer, name: string, encoding: string | undefined): Promise<ProgramFiles> {
  const entries = await readZip(bytes, name)
  // Throws the error that a workbook has to be saved as CSV.
  if (isWorkbook(entries)) toText(bytes, name)
  const texts = entries.filter(({ name }) => /\.(?:csv|tsv|txt|json|xml|ics)$/i.test(name))
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
  const toNamed = (entry: ZipEntry | undefined) => entry && toNamedText(entry.bytes, `${name}/${entry.name}`, encoding)
  return {
    program: toNamedText(program.bytes, `${name}/${program.name}`, encoding),
    venues: toNamed(venues),
    speakers: toNamed(speakers),
  }
}

/** The signatures of common binary files, with advice for the organizer. */
const binaryFiles: readonly (readonly [magic: Buffer, message: string])[] = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'is an Excel workbook or another archive. Save the sheet as CSV first.'],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an old Excel workbook. Save the sheet as CSV first.'],
  [Buffer.from('ffd8ff', 'hex'), 'is an image. Photos and banners have an import of their own.'],
  [Buffer.from('89504e47', 'hex'), 'is an image. Photos and banners have an import of their own.'],
  [Buffer.from('%PDF-'), 'is a PDF, which cannot be imported. Export the data from the program that made it.'],
]

/**
 * Reads a text in the given encoding, or detects it (see `decodeText`).
 * @throws OperatorError if the bytes cannot be decoded, or are a workbook, an image or a PDF
 */
export function toText(bytes: Buffer, name: string, encoding?: string): DecodedText {
  const binaryFile = binaryFiles.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))
  if (binaryFile) throw new OperatorError(`${name} ${binaryFile[1]}`)
  return decodeText(bytes, name, encoding)
}

/** Files in an archive; a program has a handful. */
const maxEntries = 100
/** Uncompressed size of all files together; the largest programs have a few megabytes. */
const maxBytes = 100_000_000

interface ZipEntry {
  name: string
  bytes: Buffer
}

/**
 * Reads the files of a zip archive, without folders and hidden files. Sizes are checked before anything is unpacked,
 * and yauzl stops when a file turns out longer than its header says.
 *
 * @throws OperatorError if it is damaged, encrypted or too large
 */
export async function readZip(archive: Buffer, archiveName: string): Promise<ZipEntry[]> {
  const refuse = (reason: string) => new OperatorError(`${archiveName} cannot be unpacked: ${reason}.`)
  try {
    const zip = await fromBufferPromise(archive)
    if (zip.entryCount > maxEntries)
      throw refuse(`it has ${zip.entryCount} files, and at most ${maxEntries} are allowed`)
    const files = []
    for await (const entry of zip.eachEntry()) if (!/(?:^|\/)(?:[._]|$)/.test(entry.fileName)) files.push(entry)
    const size = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (size > maxBytes) throw refuse('its files are larger than 100 MB in total')
    const entries: ZipEntry[] = []
    for (const file of files) {
      if (file.isEncrypted()) throw refuse(`${file.fileName} is encrypted`)
      const bytes = await buffer(await zip.openReadStreamPromise(file))
      entries.push({ name: file.fileName, bytes })
    }
    return entries
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw refuse(messageOf(error))
  }
}
