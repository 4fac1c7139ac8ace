import { accessSync, constants } from 'node:fs'
import { hasCode } from '../../../core/errors.ts'

/**
 * Asserts that we may read and write a file, if it exists: SQLite reports only that it cannot be opened.
 * @throws the system's error
 */
export function assertAccessible(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}
