import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { hasCode } from '../core/error-code.ts'

/**
 * Makes a folder that only its owner can read, with those above it; one that is there already is left as it is.
 * Node's own `recursive` never ends where the system says ENOENT although the folder above is there, as below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    // Another process may be making the same ones, so the folder above may be there by now.
    await makeFolder(dirname(resolve(path)))
    await makeOne(path)
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await isFolder(path))) throw error
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
