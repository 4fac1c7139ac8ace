import { access, constants, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/errors.ts'
import { syncPath } from '../../storage/data-dir/sync-path.ts'
import { formatEntries, parseEntries, type StoredEntry } from './entries.ts'

export const ledgerFileIn = (dataDir: string): string => join(dataDir, 'ledger')

/** The entries of the file in `DATA_DIR`; undefined if there is none. */
export async function readLedgerFile(dataDir: string): Promise<StoredEntry[] | undefined> {
  try {
    return parseEntries(await readFile(ledgerFileIn(dataDir), 'utf8'))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Appends entries durably. Several processes may do this at the same time. */
export async function appendToLedgerFile(dataDir: string, entries: readonly StoredEntry[]): Promise<void> {
  if (entries.length === 0) return
  const path = ledgerFileIn(dataDir)
  const isNew = (await stat(path).catch(() => undefined)) === undefined
  await using file = await open(path, 'a', 0o600)
  // The line before may have been cut by a power failure.
  await file.appendFile(`${isNew ? '' : '\n'}${formatEntries(entries)}`)
  await file.sync()
  if (isNew) await syncPath(dataDir)
}

/**
 * Asserts that entries can be appended, before a change that needs one: a change is refused rather than stored without
 * its entry.
 * @throws the system's error
 */
export async function assertCanAppend(dataDir: string): Promise<void> {
  try {
    await using _file = await open(ledgerFileIn(dataDir), 'r+')
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await access(dataDir, constants.W_OK)
  }
}

/** Appends the entries that the file lacks, as after a crash between a commit and its entry. */
export async function completeLedgerFile(dataDir: string, entries: readonly StoredEntry[]): Promise<void> {
  const known = (await readLedgerFile(dataDir)) ?? []
  await appendToLedgerFile(dataDir, without(entries, known))
}

/** The entries that are not among the known ones. */
function without(entries: readonly StoredEntry[], known: readonly StoredEntry[]): StoredEntry[] {
  const lines = new Set(known.map((entry) => formatEntries([entry])))
  return entries.filter((entry) => !lines.has(formatEntries([entry])))
}
