import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotOpen } from '../cannot-open.ts'
import { isBusy, isDamaged } from './errors.ts'
import { assertOurs } from './foreign.ts'

/**
 * Makes this process the one that serves `dataDir`, until it ends, however it ends: the lock is the operating
 * system's, held through a transaction on a database of its own, so a killed process leaves none behind.
 * @returns the function that gives it up
 * @throws CannotOpen when another process holds it, or it is no lock
 */
export function lockFolder(dataDir: string): () => void {
  const folder = resolve(dataDir)
  const file = join(folder, 'serving.lock')
  assertOurs(file)
  const connection = new DatabaseSync(file)
  try {
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if (isBusy(error))
      throw new CannotOpen(`Another Summit already serves ${folder}. Stop that one, or set DATA_DIR to another folder.`)
    if (isDamaged(error)) throw new CannotOpen(`${file} is damaged. Remove it; it holds nothing, and is made anew.`)
    throw error
  }
  return () => connection.close()
}
