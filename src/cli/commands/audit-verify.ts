import { recordedHeads } from '../../server/commands/backup/catalog.ts'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { findAuditKey } from '../../server/lifecycle/start/keys.ts'
import { type RecordedHead, verifyChain } from '../../server/log/audit/verify-chain.ts'
import { readNewestHash } from '../../server/log/changes/read-log.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { assertSchema } from '../../server/storage/db/migrate.ts'
import { withBackupReader } from '../backups.ts'
import { progress } from '../progress.ts'
import { reasonOf } from '../reason.ts'
import { withExistingSummit } from '../with-context.ts'

/** Breaks that are listed. */
const maxListed = 20

/**
 * `summit audit verify`: verifies that no change was altered, inserted or removed since it was written. Servers may
 * keep running. The exit code is 1 if the chain breaks, or could not be compared with the heads in the backups.
 */
export const verify = (config: Config, location: string | undefined): Promise<void> =>
  withExistingSummit(config, async () => {
    const heads = await findHeads(config, location)
    const inspection = await openInspection(config.database)
    try {
      await assertSchema(inspection.read)
      const key = await findAuditKey(config)
      if (!key) throw withoutKey(await readNewestHash(inspection.read))
      const { verified, unsealed, breaks, head } = await verifyChain(inspection.read, key, heads ?? [], progress)
      console.log(`Verified: ${formatCount(verified, 'change')}, up to change ${head.id}${describeHash(head.hash)}.`)
      if (unsealed > 0)
        console.log(
          `Not sealed: the first ${formatCount(unsealed, 'change')}, from before the log had a key or with their hashes taken off.`,
        )
      console.log(
        heads?.length === 0
          ? 'Not compared with backups, so changes removed at the end of the log do not show: name a location, or set BACKUP_TO.'
          : `Compared with ${formatCount(heads?.length ?? 0, 'recorded head')} of the log.`,
      )
      for (const line of breaks.slice(0, maxListed)) console.log(`  ${line}`)
      if (breaks.length > maxListed) console.log(`  … and ${breaks.length - maxListed} more`)
      if (breaks.length > 0)
        console.log(`\nThe chain breaks in ${formatCount(breaks.length, 'place')}; see docs/operate/audit.md.`)
      else if (heads)
        console.log(
          unsealed === 0
            ? '\nThe chain is intact.'
            : '\nThe chain has no break. Of the changes that are not sealed, nothing shows whether they were altered.',
        )
      else console.log('\nThe chain has no break, but changes may have been removed at its end: see the warning.')
      if (breaks.length > 0 || !heads) process.exitCode = 1
    } finally {
      await inspection.close()
    }
  })

const describeHash = (hash: string): string => (hash === '' ? '' : ` with the hash ${hash.slice(0, 16)}…`)

const withoutKey = (hash: string): OperatorError =>
  new OperatorError(
    hash === ''
      ? 'The change log is not sealed: there is no key. Set AUDIT_KEY to 64 random hex digits, for example from: openssl rand -hex 32'
      : 'The change log is sealed, and its key is missing here: set AUDIT_KEY, or copy audit.key to DATA_DIR.',
  )

/**
 * Reads the heads that backups recorded; none if the command and the settings name no location. Warns if they cannot be
 * read.
 * @returns undefined after a warning
 */
async function findHeads(config: Config, location: string | undefined): Promise<RecordedHead[] | undefined> {
  if (location === undefined && !config.backup.to) return []
  try {
    let heads: RecordedHead[] = []
    await withBackupReader(config, location, async ({ store }) => {
      heads = await recordedHeads(store)
    })
    if (heads.length > 0) return heads
    console.error('WARNING: The log was not compared with backups: none there recorded its head.')
  } catch (error) {
    console.error(`WARNING: The log was not compared with the backups: ${reasonOf(error)}`)
  }
  return undefined
}
