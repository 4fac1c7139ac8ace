import { OperatorError } from '../../core/operator-error.ts'
import type { CatalogEntry } from './catalog.ts'

/**
 * Checks that the backups of a location are of this summit.
 * @param summit see `summitFingerprint`
 * @throws OperatorError
 */
export function assertSameSummit(entries: readonly CatalogEntry[], summit: string): void {
  const newest = entries.find(({ summary: found }) => found)?.summary
  if (newest && newest.summit !== summit && newest.summit !== '')
    throw new OperatorError('This location has the backups of another summit. Choose another location.')
}
