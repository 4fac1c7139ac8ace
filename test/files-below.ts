import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hasCode } from '../src/server/core/errors.ts'

/** The files below a folder, by their paths. @throws the error of the system, also if there is no such folder */
export async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The same; none if the folder does not exist yet, or one below it is removed meanwhile. */
export const filesBelowIfAny = (dir: string): Promise<string[]> =>
  filesBelow(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })

/** Whether a folder, which may not exist yet, has a file of this name at any depth. */
export const hasFileBelow = async (dir: string, name: string): Promise<boolean> =>
  (await filesBelowIfAny(dir)).some((path) => basename(path) === name)
