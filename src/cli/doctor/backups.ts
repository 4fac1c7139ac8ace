import { relative, resolve } from 'node:path'
import { type CatalogEntry, readCatalog, splitByTime } from '../../server/commands/backup/catalog.ts'
import { assertMounted } from '../../server/commands/backup/known-locations.ts'
import { openBackupReader } from '../../server/commands/backup/open-backups.ts'
import { shareDisk } from '../../server/commands/backup/shared-disk.ts'
import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { hourMs } from '../../server/core/time-units.ts'
import { isBackupLate } from '../../server/domains/overview/newest-backup.ts'
import { findStorageProblem } from '../../server/lifecycle/schedules/backup-location.ts'
import { explain } from '../../server/lifecycle/start/explain.ts'
import { describeBackupTarget } from '../../server/storage/blobs/backup-target.ts'
import { describeFuture } from '../backups.ts'
import { type Check, type Diagnosis, ok, problem, warning } from './diagnosis.ts'

/** Whether there are recent backups that can be read, in a location that survives the loss of the disk. */
export const checkBackups: Check = async ({ loaded: { config } }) => {
  const { to, key } = config.backup
  if (!to)
    return [
      warning('BACKUP_TO is not set, so no backups are made. Set it to a folder on another disk, or to a bucket.'),
    ]
  const place = describeBackupTarget(to)
  try {
    await assertMounted(config.dataDir, to)
  } catch (error) {
    return [problem(explain(error))]
  }
  const storageProblem = await findStorageProblem(config.dataDir, to)
  const store = await openBackupReader(to, key, { isAwaited: true })
  try {
    const entries = await readCatalog(store, await store.list())
    return [
      ...(storageProblem === undefined ? [] : [problem(storageProblem)]),
      ...(to.kind === 'folder' ? await checkPlace(config, to.dir) : []),
      ...checkEntries(config, place, entries),
    ]
  } finally {
    await store.close()
  }
}

async function checkPlace({ dataDir }: Config, dir: string): Promise<Diagnosis[]> {
  const isWithin = !relative(resolve(dataDir), dir).startsWith('..')
  if (isWithin)
    return [
      warning(`BACKUP_TO, ${dir}, is in DATA_DIR, and is lost together with it. Set it to another disk or a bucket.`),
    ]
  if (await shareDisk(dir, dataDir))
    return [
      warning(
        `BACKUP_TO, ${dir}, is on the file system of DATA_DIR, and is lost together with it. Set it to another disk or a bucket.`,
      ),
    ]
  return []
}

function checkEntries({ backup: { everyMs } }: Config, place: string, entries: CatalogEntry[]): Diagnosis[] {
  const first = entries.find(({ isKeyMismatch }) => isKeyMismatch)
  if (first && entries.every(({ isKeyMismatch }) => isKeyMismatch))
    return [
      problem(
        `BACKUP_KEY seems to differ from the key of the ${formatCount(entries.length, 'backup')} in ${place}: ${first.damage}. Set ` +
          'BACKUP_KEY to the key with which they were made. Do not remove them: with that key they can be restored.',
      ),
    ]
  const damaged = entries.flatMap(({ id, damage, isKeyMismatch }) =>
    damage === undefined
      ? []
      : [
          problem(
            `The backup ${id} in ${place} cannot be restored: ${damage}. Remove its folder once you have another` +
              `${isKeyMismatch ? ', unless you have that key' : ''}.`,
          ),
        ],
  )
  const { newest: newestEntry, future } = splitByTime(entries, Date.now())
  const newest = newestEntry?.summary
  const found = [...damaged, ...(future.length > 0 ? [warning(describeFuture(future, place))] : [])]
  if (!newest) return [...found, warning(`There is no backup in ${place}. To make one: ${commandName} backup`)]
  const ageMs = Date.now() - newest.createdAt
  const age = `${(ageMs / hourMs).toFixed(1)} hours old`
  if (everyMs !== undefined && isBackupLate(newest.createdAt, everyMs, Date.now()))
    return [
      ...found,
      problem(
        `The newest backup in ${place} is ${age}, although BACKUP_EVERY is ${everyMs / hourMs} hours. Start the server or see its log, or run: ${commandName} backup`,
      ),
    ]
  return [...found, ok(`the newest of ${entries.length} in ${place} is ${age}`)]
}
