import { basename } from 'node:path'
import { OperatorError } from '../server/core/operator-error.ts'
import type { DecodedText } from '../server/domains/import/decode-text.ts'
import { readBytes, toText } from './read-text.ts'
import { readZip, type ZipEntry } from './zip-entries.ts'

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
export async function readProgramFiles(
  path: string,
  { venues, speakers, encoding }: { venues?: string; speakers?: string; encoding?: string },
): Promise<ProgramFiles> {
  const bytes = await readBytes(path)
  const files =
    isZip(bytes) && !/\.(?:xlsx|xlsm|ods)$/i.test(path)
      ? await unpack(bytes, basename(path), encoding)
      : { program: toNamedText(bytes, basename(path), encoding) }
  return {
    ...files,
    ...(venues !== undefined && { venues: await readNamed(venues, encoding) }),
    ...(speakers !== undefined && { speakers: await readNamed(speakers, encoding) }),
  }
}

const toNamedText = (bytes: Buffer, name: string, encoding: string | undefined): NamedText => ({
  name,
  ...toText(bytes, name, encoding),
})

const readNamed = async (path: string, encoding: string | undefined) =>
  toNamedText(await readBytes(path), basename(path), encoding)

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
