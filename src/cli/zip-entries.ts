import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { OperatorError } from '../server/core/operator-error.ts'
import { reasonOf } from './reason.ts'

/** Files in an archive; a program has a handful. */
const maxEntries = 100
/** Uncompressed size of all files together; the largest programs have a few megabytes. */
const maxBytes = 100_000_000

export interface ZipEntry {
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
    throw refuse(reasonOf(error))
  }
}
