import { BlobsRefused } from './blobs/blob-store.ts'
import { ConfigError } from './config.ts'
import { CannotOpen } from './db/cannot-open.ts'
import { hasCode } from './errors.ts'

/** What an operator can mend is one line; anything else is a bug and shows where. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CannotOpen || error instanceof BlobsRefused) return error.message
  if (hasCode(error, 'EADDRINUSE')) return 'The port is in use already. Set PORT to another one.'
  if (hasCode(error, 'EADDRNOTAVAIL')) return 'HOST is not an address of this machine.'
  if (hasCode(error, 'ENOTSUP')) return 'This system lets only one process listen at an address. Set WORKERS to 1.'
  if (hasCode(error, 'EACCES')) return 'No permission for DATA_DIR, or for PORT (those below 1024 need it).'
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    return 'The only option is --empty; all else is configuration.'
  if (error instanceof Error) return error.stack ?? error.message
  return String(error)
}
