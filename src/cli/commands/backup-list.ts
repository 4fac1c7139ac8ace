import { type CatalogEntry, isFromFuture, readCatalog } from '../../server/commands/backup/catalog.ts'
import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { megabytes, withBackupReader } from '../backups.ts'

/** `summit backup list`: lists the backups, newest first. */
export const printBackups = (config: Config, location: string | undefined): Promise<void> =>
  withBackupReader(config, location, async ({ store, location: name }) => {
    const entries = await readCatalog(store, await store.list())
    console.log(`${formatCount(entries.length, 'backup')} in ${name}`)
    for (const entry of entries) console.log(`  ${[entry.id, ...describe(entry)].join('  ')}`)
  })

function describe({ summary, damage }: CatalogEntry): string[] {
  if (!summary) return [`CANNOT BE READ: ${damage}`]
  const { createdAt, version, rows, bytes, files, missing } = summary
  const columns = [
    `${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Summit ${version}`,
    formatCount(rows, 'row'),
    formatCount(files, 'file'),
    megabytes(bytes),
  ]
  if (isFromFuture(summary, Date.now())) columns.push('DATED IN THE FUTURE: a clock is wrong, or was')
  if (missing > 0) columns.push(`is missing ${formatCount(missing, 'file')}`)
  if (damage !== undefined) columns.push(`DAMAGED: ${damage}`)
  return columns
}
