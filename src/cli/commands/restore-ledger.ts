import { readFile } from 'node:fs/promises'
import { revokeSessionsAndInvitations } from '../../server/access/credentials.ts'
import type { BackupReader } from '../../server/backup/backup-reader.ts'
import { readLedger } from '../../server/backup/ledger-objects.ts'
import type { Manifest } from '../../server/backup/manifest.ts'
import type { OpenBackups } from '../../server/backup/open-backups.ts'
import { listOwnedBlobs } from '../../server/check/files.ts'
import type { Config } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import type { Database } from '../../server/db/open.ts'
import { applyLedger } from '../../server/erasure/apply-ledger.ts'
import { type LedgerEntry, mergeEntries, parseEntries } from '../../server/ledger/entries.ts'
import { readLedgerFile } from '../../server/ledger/ledger-file.ts'
import { commandScope } from '../../server/scope.ts'
import { reasonOf } from '../reason.ts'

export interface LedgerOptions {
  /** A copy of the ledger in the old `DATA_DIR`, which may have entries that the location lacks. */
  ledger?: string
  /** Whether to restore also what was erased or revoked since the backup. */
  withoutLedger?: boolean
}

/**
 * Reads the ledger in the location of the backups, in `DATA_DIR`, and in the file that was named.
 * @throws OperatorError if the location has lost it
 */
export async function readLedgers(
  { dataDir }: Config,
  { store, location }: OpenBackups<BackupReader>,
  { ledger: hadLedger }: Manifest,
  { ledger: file, withoutLedger }: LedgerOptions,
): Promise<LedgerEntry[]> {
  if (withoutLedger) {
    console.log('What was erased or revoked after the backup will be restored, too. Repeat it afterwards.')
    return []
  }
  const given = file === undefined ? undefined : await readGiven(file)
  const stored = await readLedger(store)
  if (!stored && !given && hadLedger)
    throw new OperatorError(
      `The ledger of erasures and revocations is missing. It was in ${location}, and DATA_DIR of the summit has a copy: ` +
        'name that with --ledger. To restore also what was erased or revoked since the backup, add --without-ledger.',
    )
  if (!stored && !given)
    console.log(
      'This backup is from before there was a ledger: people who were erased since, and keys that were revoked, are\n' +
        'restored. Erase and revoke them again afterwards.',
    )
  return mergeEntries(stored ?? [], given ?? [], (await readLedgerFile(dataDir)) ?? [])
}

async function readGiven(file: string): Promise<LedgerEntry[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`Cannot read ${file}: ${reasonOf(cause)}.`, { cause })
  })
  const entries = parseEntries(text)
  if (entries.length === 0) throw new OperatorError(`${file} is not a ledger: it has no entry.`)
  return entries
}

/**
 * Repeats the erasures and revocations of a ledger on a copy, so that what was erased is never written to the destination,
 * and ends all sessions and invitations.
 * @returns the keys of the files that rows still refer to
 */
export async function eraseAgain(
  target: Context,
  copy: Database,
  ledger: readonly LedgerEntry[],
): Promise<{ keys: Set<string>; repeated: number }> {
  const repeated = await copy.transaction(async (tx) => {
    const scope = commandScope(target, tx, 'restore')
    await revokeSessionsAndInvitations(scope)
    return applyLedger(scope, ledger)
  })
  const keys = new Set<string>()
  for await (const { key } of listOwnedBlobs(copy.read)) keys.add(key)
  return { keys, repeated }
}
