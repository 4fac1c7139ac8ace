import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { hasCode } from '../../core/errors.ts'

/**
 * Creates a folder that only its owner can access, and its parents; an existing folder is left alone.
 * Node's `recursive` option loops forever where mkdir fails with ENOENT although the parent exists, as below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await createFolder(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    // Another process may be creating the same folders, so the parent may exist by now.
    await makeFolder(dirname(resolve(path)))
    await createFolder(path)
  }
}

async function createFolder(path: string): Promise<void> {
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
