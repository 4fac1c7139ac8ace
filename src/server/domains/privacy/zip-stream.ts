import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file in an archive. */
export interface ZipEntry {
  /** Relative, with `/` between folders. */
  readonly path: string
  /** In milliseconds since 1970. */
  readonly modifiedAt: number
  /** Whether its content gets smaller by compressing it: text does, pictures and archives do not. */
  readonly isText: boolean
  /** Called once its turn comes. */
  open(): Promise<Readable>
}

/**
 * Creates a ZIP archive while it is read. Only one entry is open at a time, so that memory does not depend on the
 * number or the size of entries; entries are requested as the reader takes the bytes of those before.
 * @returns a stream that fails if an entry does; destroying it closes the open entry
 */
export function createZipStream(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  const archive = new PassThrough()
  zip.outputStream.pipe(archive)
  zip.on('error', (error: Error) => archive.destroy(error))
  let open: Readable | undefined
  archive.on('close', () => open?.destroy())
  const addAll = async () => {
    for await (const { path, modifiedAt, isText, open: openEntry } of entries) {
      if (archive.destroyed) return
      open = await openEntry()
      zip.addReadStream(open, path, { mtime: new Date(modifiedAt), compress: isText })
      await finished(open)
    }
    zip.end()
  }
  // After the archive was destroyed, an entry that ends early is no error.
  addAll().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))))
  return archive
}
