import { join, resolve } from 'node:path'
import { type BackupReader, DamagedBackup } from '../../server/commands/backup/backup-reader.ts'
import type { Manifest } from '../../server/commands/backup/manifest.ts'
import type { OpenBackups } from '../../server/commands/backup/open-backups.ts'
import { fetchDatabase } from '../../server/commands/backup/stored-database.ts'
import { restoreFile } from '../../server/commands/backup/stored-files.ts'
import { moveTables } from '../../server/commands/move/move.ts'
import type { Config } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import { OperatorError, throwUncaught } from '../../server/core/errors.ts'
import { shellArg } from '../../server/core/shell-arg.ts'
import { createContext } from '../../server/lifecycle/start/create-context.ts'
import { beginMove, endMove, isRestorable } from '../../server/lifecycle/start/unfinished-move.ts'
import { appendChange } from '../../server/log/changes/log.ts'
import type { StoredEntry } from '../../server/log/ledger/entries.ts'
import { completeLedgerFile } from '../../server/log/ledger/ledger-file.ts'
import { commandScope } from '../../server/scope.ts'
import { assertNotForeignRestore, inDataDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { describeDatabase, isInitialized } from '../../server/storage/db/initialized.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { lockForServing } from '../../server/storage/db/locks.ts'
import { NewerSchema, unknownMigrations } from '../../server/storage/db/migrate.ts'
import { type Database, migrateDatabase, openDatabase } from '../../server/storage/db/open.ts'
import { findBackup, targetOf, withBackupReader } from '../backups.ts'
import { progress } from '../progress.ts'
import { commandStatementMs } from '../with-context.ts'
import { describeBackup } from './read-backups.ts'
import { type LedgerOptions, readLedgers, reapplyLedger } from './restore-ledger.ts'

interface Options extends LedgerOptions {
  id?: string
  apply?: boolean
  /** Whether to leave out files that are damaged in the backup; otherwise they prevent the restore. */
  skipDamaged?: boolean
}

/**
 * `summit restore`: restores a backup to the configured database and files, which must not have a summit yet. The same
 * command resumes an interrupted restore.
 */
export async function restore(
  config: Config,
  location: string | undefined,
  { id, apply, skipDamaged = false, ...options }: Options,
): Promise<void> {
  const target = targetOf(config, location)
  const dataDir = resolve(config.dataDir)
  await assertNotForeignRestore(dataDir, target.kind === 'folder' ? target.dir : undefined)
  await withBackupReader(config, location, (backups) =>
    inDataDir(config.dataDir, async () => {
      const backup = await findBackup(backups, id)
      const { manifest } = backup
      await assertRestorable(config, manifest)
      console.log(describeBackup(backup, backups))
      console.log(`\nThis backup will be restored to ${describeDatabase(config.database)}.`)
      if (!manifest.signatureKey && !config.signatureKey) console.log(withoutKey)
      if (!manifest.auditKey && !config.auditKey && manifest.audit?.hash) console.log(withoutAuditKey)
      const ledger = await readLedgers(config, backups, manifest, options)
      if (!apply) {
        console.log('\nNothing was restored. Run the same command with --apply to restore it.')
        return
      }
      const { damaged, repeated } = await restoreTo(config, backups, manifest, { skipDamaged, ledger })
      for (const problem of damaged) console.error(`  not restored: ${problem}`)
      if (damaged.length > 0) process.exitCode = 1
      console.log(
        `\nRestored: every row and ${damaged.length > 0 ? 'every other file' : 'file'} is identical to the backup. Start Summit with the same settings.`,
      )
      if (repeated > 0) console.log(`Erasures and revocations after the backup, repeated from the ledger: ${repeated}.`)
      if (process.getuid?.() === 0)
        console.log(
          `The files in ${dataDir} are owned by root. If the server runs as another user, such as summit, run: ` +
            `chown -R summit ${shellArg(dataDir)}`,
        )
    }),
  )
}

const withoutKey =
  'It does not contain the signing key, because it is not encrypted. To keep using that key, set SIGNATURE_KEY now, or put\n' +
  'signature.key into DATA_DIR; otherwise a new key is generated.'

const withoutAuditKey =
  'For the same reason it does not contain the key of the change log. To continue its chain, set AUDIT_KEY now, or put\n' +
  'audit.key into DATA_DIR; otherwise the chain breaks here.'

/** @throws OperatorError when there is already a summit; NewerSchema */
async function assertRestorable({ database: target }: Config, { migrations }: Manifest): Promise<void> {
  const unknown = unknownMigrations(migrations)
  if (unknown.length > 0) throw new NewerSchema(unknown)
  if (!(await isInitialized(target))) return
  // Only inspected: opening it would migrate a summit that is to be left alone.
  const { read, close } = await openInspection(target)
  if (!(await isRestorable(read).finally(close)))
    throw new OperatorError(
      `There is already a summit in ${describeDatabase(target)}. Set DATA_DIR to a new folder, or DATABASE_URL to an ` +
        'empty database. The existing summit was not changed.',
    )
}

/** @returns the damage of each file that was left out, and how many entries of the ledger were repeated */
async function restoreTo(
  config: Config,
  { store, scratchDir }: OpenBackups<BackupReader>,
  manifest: Manifest,
  { skipDamaged, ledger }: { skipDamaged: boolean; ledger: StoredEntry[] },
): Promise<{ damaged: string[]; repeated: number }> {
  await makeDataDir(config.dataDir)
  await using opened = new AsyncDisposableStack()
  opened.defer(lockForServing(config.database))
  // Reads and compares the whole database before it creates anything at the destination.
  const { dir } = await fetchDatabase(store, manifest, join(scratchDir, 'restored'), progress)
  await markUnfinished(config)
  const target = opened.adopt(
    await createContext(config, {
      statementMs: commandStatementMs,
      ...(manifest.signatureKey !== undefined && { initialSigningKey: manifest.signatureKey }),
      ...(manifest.auditKey !== undefined && { initialAuditKey: manifest.auditKey }),
    }),
    (ctx) => ctx.close(),
  )
  const source = opened.adopt(await openScratch(dir), (database) => database.close())
  const { keys, repeated } = await reapplyLedger(target, source, ledger)
  await moveTables(source, target.database, progress)
  const files = manifest.files.filter(({ key }) => keys.has(key))
  const damaged: string[] = []
  await progress('Restoring files', files.length, async (onProgress) => {
    for (const file of files) {
      try {
        await restoreFile(store, file, target.blobs)
      } catch (error) {
        if (!(error instanceof DamagedBackup)) throw error
        if (!skipDamaged)
          throw new DamagedBackup(`${error.message}. To restore everything else, add --skip-damaged`, { cause: error })
        damaged.push(`${file.key}: ${error.message}`)
      }
      onProgress()
    }
  })
  await completeLedgerFile(config.dataDir, ledger)
  await logRestore(target)
  await endMove(target.database)
  return { damaged, repeated }
}

/** The log then shows why the changes that came after the backup are missing. */
const logRestore = (ctx: Context): Promise<void> =>
  ctx.database.transaction((tx) =>
    appendChange(commandScope(ctx, tx, 'restore'), { kind: 'summit.restored', record: 0 }),
  )

async function openScratch(dir: string): Promise<Database> {
  const target = { kind: 'folder', dir } as const
  await migrateDatabase(target)
  return openDatabase(target, throwUncaught)
}

/** Runs first: a partly restored summit must not be mistaken for a whole one. */
async function markUnfinished({ database: target }: Config): Promise<void> {
  // An older version may have begun to restore it.
  await migrateDatabase(target)
  const database = await openDatabase(target, throwUncaught, commandStatementMs)
  await beginMove(database).finally(() => database.close())
}
