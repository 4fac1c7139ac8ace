import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { importImages as importAll } from '../../server/import/images.ts'
import { withProgress } from '../progress.ts'
import { reasonOf } from '../reason.ts'
import { withContext } from '../with-context.ts'

/** `summit import images FOLDER`: attaches the images, and reports those that were skipped. */
export async function importImages(config: Config, folder: string, { source }: { source?: string }): Promise<void> {
  await assertReadable(folder)
  await withContext(config, async (ctx) => {
    const results = await withProgress('Attaching', (onProgress) => importAll(ctx, folder, source, onProgress))
    const skipped = results.filter((result) => result.reason !== undefined)
    console.log(`${results.length - skipped.length} images attached, ${skipped.length} skipped`)
    for (const { file, reason } of skipped) console.log(`  ${file}: ${reason}`)
    if (results.length === 0) throw new OperatorError(`No images found in ${folder}.`)
    if (skipped.length > 0) throw new OperatorError(`Some files in ${folder} were not attached.`)
  })
}

/** @throws OperatorError if the folder cannot be read */
async function assertReadable(folder: string): Promise<void> {
  await readdir(folder).catch((cause) => {
    const reason = reasonOf(cause, { ENOTDIR: 'it is not a folder' })
    throw new OperatorError(`Cannot read ${resolve(folder)}: ${reason}.`, { cause })
  })
}
