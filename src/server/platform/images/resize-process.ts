import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { resizeImage } from './resize.ts'
import { UnusableImage } from './unusable-image.ts'

// The process that `resizeFile` starts for each image.
const [path = '', fit = ''] = process.argv.slice(2)
sharp.cache(false)
sharp.concurrency(1)
const outcome = await resizeImage(await readFile(path), JSON.parse(fit)).catch((error) => {
  if (error instanceof UnusableImage) return { unusable: error.message }
  throw error
})
process.send?.(outcome, () => process.disconnect())
