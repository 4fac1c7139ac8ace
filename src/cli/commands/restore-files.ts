import type { BackupReader } from '../../server/commands/backup/backup-reader.ts'
import { type CatalogEntry, readCatalog } from '../../server/commands/backup/catalog.ts'
import { readManifest } from '../../server/commands/backup/manifest.ts'
import { type BackedUpFile, isIntact, restoreFile } from '../../server/commands/backup/stored-files.ts'
import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { listOwnedBlobs } from '../../server/domains/orphans/owned-blobs.ts'
import { withBackupReader } from '../backups.ts'
import { progress } from '../progress.ts'
import { withContext, withMaintenanceLock } from '../with-context.ts'

interface Options {
  id?: string
  apply?: boolean
}

/**
 * `summit restore --files`: restores stored files that are missing or damaged, each from the newest backup that has it.
 * Servers may keep running.
 */
export const restoreFiles = (config: Config, location: string | undefined, { id, apply }: Options): Promise<void> =>
  withContext(config, (ctx) =>
    withMaintenanceLock(config, () =>
      withBackupReader(config, location, async ({ store }) => {
        const entries = await readCatalog(store, await store.list())
        const selected = entries.filter((entry) => id === undefined || entry.id === id)
        const backedUp = await filesIn(store, selected)
        const damaged: { owner: string; key: string; file: BackedUpFile | undefined }[] = []
        for await (const { key, owner, size, sha256 } of listOwnedBlobs(ctx.database.read)) {
          const file = backedUp.get(key)
          const expected =
            file ?? (size !== undefined && sha256 !== undefined ? { key, size, sha256, verifiedAt: 0 } : undefined)
          if (expected && !(await isIntact(ctx.blobs, expected))) damaged.push({ owner, key, file })
        }
        const restorable = damaged.flatMap(({ file }) => file ?? [])
        for (const { owner, key, file } of damaged) console.log(`  ${owner}: ${key}${file ? '' : ' is in no backup'}`)
        if (damaged.length === 0) console.log('No stored file is missing or damaged.')
        if (damaged.length > restorable.length) process.exitCode = 1
        if (restorable.length === 0) return
        if (!apply) {
          console.log(
            `\nNothing was restored. Run the same command with --apply to restore ${formatCount(restorable.length, 'file')}.`,
          )
          return
        }
        await progress('Restoring files', restorable.length, async (onProgress) => {
          for (const file of restorable) {
            await restoreFile(store, file, ctx.blobs)
            onProgress()
          }
        })
        console.log(`\nRestored: ${formatCount(restorable.length, 'file')}.`)
      }),
    ),
  )

/** The files of these backups by their keys, from the newest backup that has each. */
async function filesIn(store: BackupReader, newestFirst: readonly CatalogEntry[]): Promise<Map<string, BackedUpFile>> {
  const files = new Map<string, BackedUpFile>()
  for (const { id, summary } of newestFirst) {
    if (!summary) continue
    for (const file of (await readManifest(store, id)).files) if (!files.has(file.key)) files.set(file.key, file)
  }
  return files
}
