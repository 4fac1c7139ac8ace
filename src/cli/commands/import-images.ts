import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorError } from '../../server/core/operator-error.ts'
import { importImages as importAll } from '../../server/import/images.ts'
import { withProgress } from '../progress.ts'
import { reasonOf } from '../reason.ts'
import { withContext } from '../with-context.ts'

/** `summit import images FOLDER`: attaches the pictures, and says which could not be. */
export async function importImages(folder: string, { source }: { source?: string }): Promise<void> {
  await refuseUnreadable(folder)
  await withContext(async (ctx) => {
    const results = await withProgress('Attaching', (onProgress) => importAll(ctx, folder, source, onProgress))
    const left = results.filter((result) => result.reason !== undefined)
    console.log(`${results.length - left.length} images attached, ${left.length} not`)
    for (const { file, reason } of left) console.log(`  ${file} ${reason}`)
    if (results.length === 0) throw new OperatorError(`There are no images in ${folder}.`)
    if (left.length > 0) throw new OperatorError(`Not every file in ${folder} could be attached.`)
  })
}

/** @throws OperatorError */
async function refuseUnreadable(folder: string): Promise<void> {
  await readdir(folder).catch((cause) => {
    const reason = reasonOf(cause, { ENOTDIR: 'it is not a folder' })
    throw new OperatorError(`Cannot read ${resolve(folder)}: ${reason}.`, { cause })
  })
}
