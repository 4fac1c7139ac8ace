import { commandName } from '../../server/core/command-name.ts'
import { findMissingFile } from '../../server/domains/files/files.ts'
import { findMissingPicture } from '../../server/domains/program/pictures.ts'
import { describeBlobTarget, isLocal } from '../../server/storage/blobs/blob-target.ts'
import { openBlobReader } from '../../server/storage/blobs/open.ts'
import { blobsDir } from '../../server/storage/data-dir/data-dir.ts'
import { type Check, ok, problem } from './diagnosis.ts'

/** Whether the store of files can be reached, and has the newest ones. */
export const checkFiles: Check = async ({ loaded: { config }, database }) => {
  const place = describeBlobTarget(config.blobs, blobsDir(config))
  const blobs = await openBlobReader(config.blobs, blobsDir(config))
  try {
    // Shows that a bucket can be reached even if the summit has no files.
    if (!isLocal(config.blobs)) await blobs.list()[Symbol.asyncIterator]().next()
    if (!database) return []
    const { read } = database
    const missing = (await findMissingFile(read, blobs)) ?? (await findMissingPicture(read, blobs))
    if (missing === undefined) return [ok(`${place} has the newest files`)]
    return [
      problem(
        `${missing}, which is among the newest files, is missing from ${place}. Set the right DATA_DIR or BLOBS_URL, or ` +
          `restore it from a backup: ${commandName} restore --files`,
      ),
    ]
  } finally {
    await blobs.close()
  }
}
