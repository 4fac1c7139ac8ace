import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { toOneLine } from '../../../core/clean-text.ts'
import { messageOf, OperatorError } from '../../../core/errors.ts'

/** Files in an archive; a program has a handful. */
const maxEntries = 100
/** Uncompressed size of all files together, in megabytes; the largest programs have a few. */
const maxMegabytes = 100

export interface ZipEntry {
  name: string
  bytes: Buffer
}

export const isZip = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\x03\x04'

/** Neither a folder nor a hidden file. */
const isVisible = (name: string) => !/(?:^|\/)(?:[._]|$)/.test(name)

/**
 * Reads files of a zip archive. Sizes are checked before anything is unpacked, and yauzl stops when a file turns out longer
 * than its header says. Others are not unpacked, and count for nothing.
 *
 * @throws OperatorError if it is damaged, encrypted or too large
 */
export async function readZip(
  archive: Buffer,
  archiveName: string,
  isWanted: (name: string) => boolean = isVisible,
  megabytes = maxMegabytes,
): Promise<ZipEntry[]> {
  const refuse = (reason: string) => new OperatorError(`${archiveName} cannot be unpacked: ${toOneLine(reason)}.`)
  try {
    const zip = await fromBufferPromise(archive)
    const files = []
    for await (const entry of zip.eachEntry()) if (isWanted(entry.fileName)) files.push(entry)
    if (files.length > maxEntries) throw refuse(`it has ${files.length} files, and at most ${maxEntries} are allowed`)
    const size = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (size > megabytes * 1_000_000) throw refuse(`its files are larger than ${megabytes} MB in total`)
    const entries: ZipEntry[] = []
    for (const file of files) {
      if (file.isEncrypted()) throw refuse(`${file.fileName} is encrypted`)
      const bytes = await buffer(await zip.openReadStreamPromise(file))
      entries.push({ name: toOneLine(file.fileName), bytes })
    }
    return entries
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw refuse(`${messageOf(error).replace(/\.$/, '')}. Save or download it again`)
  }
}
