import { readFile } from 'node:fs/promises'
import { eraseAllCodes } from '../../server/auth/codes.ts'
import { revokeSessionsAndInvitations } from '../../server/auth/credentials.ts'
import type { BackupReader } from '../../server/commands/backup/backup-reader.ts'
import { readLedger } from '../../server/commands/backup/ledger-objects.ts'
import type { Manifest } from '../../server/commands/backup/manifest.ts'
import type { OpenBackups } from '../../server/commands/backup/open-backups.ts'
import type { Config } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { listOwnedBlobs } from '../../server/domains/orphans/owned-blobs.ts'
import { applyLedger } from '../../server/domains/privacy/apply-ledger.ts'
import { eraseSignInRetries } from '../../server/log/idempotency/erase.ts'
import { isKnownEntry, mergeEntries, parseEntries, type StoredEntry } from '../../server/log/ledger/entries.ts'
import { ledgerFileIn, readLedgerFile } from '../../server/log/ledger/ledger-file.ts'
import { commandScope } from '../../server/scope.ts'
import type { Database } from '../../server/storage/db/open.ts'
import { reasonOf } from '../reason.ts'

export interface LedgerOptions {
  /** A copy of the ledger in the old `DATA_DIR`, which may have entries that are not in the location. */
  ledger?: string
  /** Whether to also restore what was erased or revoked since the backup. */
  withoutLedger?: boolean
}

/**
 * Reads the ledger in the location of the backups, in `DATA_DIR`, and in the file that was named. Entries of other
 * summits are left out: they would erase other people with the same ids.
 * @throws OperatorError if the location has lost its ledger, or the file is the ledger of another summit
 */
export async function readLedgers(
  { dataDir }: Config,
  { store, location }: OpenBackups<BackupReader>,
  { ledger: hadLedger, summit, migrations }: Manifest,
  { ledger: file, withoutLedger }: LedgerOptions,
): Promise<StoredEntry[]> {
  if (withoutLedger) {
    console.log('Erasures and revocations made after the backup will be missing. Repeat them afterwards.')
    return []
  }
  const given = file === undefined ? undefined : await readGiven(file, summit)
  const stored = await readLedger(store)
  if (!stored && !given && hadLedger)
    throw new OperatorError(
      `The ledger of erasures and revocations is missing. It was in ${location}, and DATA_DIR of the summit has a copy: ` +
        'specify it with --ledger. To also restore what was erased or revoked since the backup, add --without-ledger.',
    )
  if (!stored && !given)
    console.log(
      'This backup is older than the ledger: people who were erased since, and keys that were revoked, will be\n' +
        'restored. Erase and revoke them again afterwards.',
    )
  const entries = mergeEntries(
    ofSummit(summit, stored ?? [], location),
    ofSummit(summit, given ?? [], file ?? ''),
    ofSummit(summit, (await readLedgerFile(dataDir)) ?? [], ledgerFileIn(dataDir)),
  )
  const unknown = entries.filter((entry) => !isKnownEntry(entry)).length
  if (unknown > 0)
    console.log(
      `The ledger has ${formatCount(unknown, 'line')} of a newer version of Summit, which this one cannot repeat. ` +
        'Restore with that version, or repeat those changes afterwards.',
    )
  const speakers = entries.filter(({ kind }) => kind === 'speaker.erased').length
  if (speakers > 0 && !migrations.includes(withSpeakers))
    console.log(
      `${formatCount(speakers, 'speaker')} of the program ${speakers === 1 ? 'was' : 'were'} erased since. The backup ` +
        'is from before speakers were records, and they are recognized by the place of their sessions in it: check ' +
        'that those who were erased are gone, and nobody else.',
    )
  return entries
}

/** The migration that makes records of speakers. */
const withSpeakers = '0017-program'

/** Leaves out the entries of other summits, and says so. @param place of the ledger, for the operator */
function ofSummit(summit: string, entries: readonly StoredEntry[], place: string): StoredEntry[] {
  const own = entries.filter((entry) => entry.summit === summit)
  const others = entries.length - own.length
  if (others > 0)
    console.log(`The ledger in ${place} has ${formatCount(others, 'line')} of another summit, which are not repeated.`)
  return own
}

async function readGiven(file: string, summit: string): Promise<StoredEntry[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`Cannot read ${file}: ${reasonOf(cause)}.`, { cause })
  })
  const entries = parseEntries(text)
  if (entries.length === 0) throw new OperatorError(`${file} is not a ledger: it has no entry.`)
  if (!entries.some((entry) => entry.summit === summit))
    throw new OperatorError(`${file} is the ledger of another summit. Nothing was restored.`)
  return entries
}

/**
 * Repeats the erasures and revocations of a ledger on a copy, so that what was erased is never written to the destination,
 * and ends all sessions, codes and invitations.
 * @returns the keys of the files that rows still refer to
 */
export async function reapplyLedger(
  target: Context,
  copy: Database,
  ledger: readonly StoredEntry[],
): Promise<{ keys: Set<string>; repeated: number }> {
  const repeated = await copy.transaction(async (tx) => {
    const scope = commandScope(target, tx, 'restore')
    await eraseSignInRetries(tx, await revokeSessionsAndInvitations(scope))
    await eraseAllCodes(tx)
    return applyLedger(scope, ledger.filter(isKnownEntry))
  })
  const keys = new Set<string>()
  for await (const { key } of listOwnedBlobs(copy.read)) keys.add(key)
  return { keys, repeated }
}
