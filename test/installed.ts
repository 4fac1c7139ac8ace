import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where programs are that Debian keeps from users who are not root. */
const beyondPath = ['/usr/sbin', '/sbin']

/** The path of a program of this machine, or undefined when it is not there. */
export function installed(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...beyondPath]
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
