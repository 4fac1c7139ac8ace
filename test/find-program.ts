import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Not in the PATH of users on Debian. */
const adminFolders = ['/usr/sbin', '/sbin']

/** The path of a program, or undefined if it is not installed. */
export function findProgram(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...adminFolders]
  return folders
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
