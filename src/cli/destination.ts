import { isAbsolute, resolve } from 'node:path'
import { OperatorError } from '../server/core/operator-error.ts'
import { databaseUrl } from '../server/db/target.ts'

/**
 * The setting that leads to a place: a URL of a database, or a folder. A folder has to look like one, as a bare name
 * may well be a URL with a slip in it.
 * @throws OperatorError
 */
export function destination(to: string): { DATABASE_URL: string } | { DATA_DIR: string } {
  if (databaseUrl.isValid(to)) return { DATABASE_URL: to }
  if (isAbsolute(to) || /^\.\.?([/\\]|$)/.test(to)) return { DATA_DIR: resolve(to) }
  throw new OperatorError(`--to must be a folder that begins with /, ./ or ../, or else it ${databaseUrl.expectation}`)
}
