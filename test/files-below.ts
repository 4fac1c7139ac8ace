import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The files below a folder, by their paths; none if it does not exist. */
export async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Whether a folder has a file of this name at any depth. */
export const hasFileBelow = async (dir: string, name: string): Promise<boolean> =>
  (await filesBelow(dir)).some((path) => basename(path) === name)
