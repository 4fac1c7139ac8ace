import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotOpen } from './cannot-open.ts'
import { isBusy } from './dialect.ts'

/**
 * Makes this process the one that serves `dataDir`, until it ends, however it ends: the lock is the operating
 * system's, held through a transaction on a database of its own, so a killed process leaves none behind.
 * @returns the function that gives it up
 * @throws CannotOpen when another process holds it
 */
export function lockForServing(dataDir: string): () => void {
  const connection = new DatabaseSync(join(dataDir, 'serving.lock'))
  try {
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if (isBusy(error)) throw new CannotOpen(`Another Summit already serves ${dataDir}.`)
    throw error
  }
  return () => connection.close()
}
