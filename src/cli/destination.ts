import { isAbsolute, resolve } from 'node:path'
import { OperatorError } from '../server/core/operator-error.ts'
import { databaseUrl } from '../server/storage/db/target.ts'

/**
 * Parses a destination into its setting: a database URL, or a folder. A folder has to look like one, because a bare
 * name may be a mistyped URL.
 * @throws OperatorError for anything else
 */
export function parseDestination(to: string): { DATABASE_URL: string } | { DATA_DIR: string } {
  if (databaseUrl.isValid(to)) return { DATABASE_URL: to }
  if (isAbsolute(to) || /^\.\.?([/\\]|$)/.test(to)) return { DATA_DIR: resolve(to) }
  throw new OperatorError(
    `--to must be a folder that begins with /, ./ or ../; otherwise it ${databaseUrl.expectation}`,
  )
}
