import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The path of a file or folder in `../shared`, which holds test data collected by others, or undefined. A clone of the
 * project does not have this folder, so only long tests use it.
 */
export function findSharedData(path: string): string | undefined {
  const found = join(import.meta.dirname, '../../shared', path)
  return existsSync(found) ? found : undefined
}
