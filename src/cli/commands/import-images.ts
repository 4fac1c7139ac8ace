import { importImages as importAll } from '../../server/transfer/images.ts'
import { OperatorError } from '../operator-error.ts'
import { withProgress } from '../progress.ts'
import { withContext } from '../with-context.ts'

/** `summit import images FOLDER`: attaches the pictures, and says which could not be. */
export async function importImages(folder: string, { source }: { source?: string }): Promise<void> {
  await withContext(async (ctx) => {
    const results = await withProgress('Attaching', (onProgress) => importAll(ctx, folder, source, onProgress))
    const left = results.filter((result) => result.reason !== undefined)
    console.log(`${results.length - left.length} images attached, ${left.length} not`)
    for (const { file, reason } of left) console.log(`  ${file} ${reason}`)
    if (left.length > 0 && left.length === results.length) throw new OperatorError('No image could be attached.')
  })
}
