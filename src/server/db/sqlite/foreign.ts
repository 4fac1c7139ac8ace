import { accessSync, constants } from 'node:fs'
import { hasCode } from '../../core/error-code.ts'

/** SQLite says of a file that we may not use only that it cannot be opened. @throws what the system says of it */
export function assertOurs(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
