import sharp from 'sharp'
import type { TestApp } from '../../../../../test/app.ts'
import { importImages } from './images.ts'

/** A valid image, whose format and content a test may change. */
export const createPicture = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } }).png()

interface ImportOptions {
  source?: string | undefined
  apply?: boolean
}

/** Imports the images of a folder, or only plans it. @returns the plan for each file */
export async function importFolder({ ctx }: TestApp, path: string, { source, apply = true }: ImportOptions = {}) {
  return (await importImages(ctx, path, { source, apply, onProgress: () => undefined })).planned
}
