import { readCatalog } from '../../server/backup/catalog.ts'
import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { withBackupReader } from '../backups.ts'
import { megabytes } from './backup.ts'

/** `summit backup list`: lists the backups, newest first. */
export const printBackups = (config: Config, location: string | undefined): Promise<void> =>
  withBackupReader(config, location, async ({ store, location: name }) => {
    const entries = await readCatalog(store, await store.list())
    console.log(`${formatCount(entries.length, 'backup')} in ${name}`)
    for (const { id, manifest, damage } of entries) {
      const content = manifest
        ? `${new Date(manifest.createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC  Summit ${manifest.version}  ` +
          `${formatCount(sumOf(Object.values(manifest.tables), 'rows'), 'row')}  ${formatCount(manifest.files.length, 'file')}  ` +
          `${megabytes(sumOf(manifest.database, 'size') + sumOf(manifest.files, 'size'))}` +
          (manifest.missing.length > 0 ? `  lacks ${formatCount(manifest.missing.length, 'file')}` : '')
        : ''
      console.log(
        `  ${id}  ${content}${damage === undefined ? '' : `  ${manifest ? 'DAMAGED' : 'CANNOT BE READ'}: ${damage}`}`,
      )
    }
  })

const sumOf = <K extends string>(items: readonly Record<K, number>[], member: K): number =>
  items.reduce((sum, item) => sum + item[member], 0)
