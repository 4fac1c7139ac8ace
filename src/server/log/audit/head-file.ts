import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { hasCode } from '../../core/error-code.ts'
import type { HmacKey } from '../../core/hmac-key.ts'
import { syncPath } from '../../storage/data-dir/sync-path.ts'
import type { Db, LogHead } from '../../storage/db/tables.ts'
import { readHead } from '../changes/log.ts'
import { findRestores, hasChange } from '../changes/read-log.ts'
import { isReplaced, isSealedWith, type Witness } from './verify-chain.ts'

/** Where a server records the head of the log, outside the database. */
export const headFileIn = (dataDir: string): string => join(dataDir, 'audit-head')

/** @returns undefined if there is no file; null if it contains no head, for example because it was emptied */
export async function readHeadFile(dataDir: string): Promise<Witness | null | undefined> {
  const source = headFileIn(dataDir)
  try {
    const [, id, hash = '', at] = /^(\d+) ([0-9a-f]{64}|) (\d+)\n$/.exec(await readFile(source, 'utf8')) ?? []
    return id === undefined ? null : { id: Number(id), hash, at: Number(at), source }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Records the head of the log, unless the log lacks the head in the file or the last one, or the file was emptied, or
 * removed since the last one: then the file stays as evidence.
 * @param last the head that this process has recorded or found last; undefined at its start
 * @returns the head that the file has now; undefined if the head was not recorded for one of these reasons
 */
export async function recordHead(
  { database, config: { dataDir }, clock, auditKey }: RecordingContext,
  last: Witness | undefined,
): Promise<Witness | undefined> {
  const recorded = await readHeadFile(dataDir)
  if (recorded === null || (last && !recorded)) return undefined
  // Another process that shares the folder may have recorded another one since.
  for (const witness of [recorded, last])
    if (witness && !(await isConfirmed(database.read, auditKey, witness))) return undefined
  const head = await readHead(database.read)
  if (recorded && head.id === recorded.id && head.hash === recorded.hash) return recorded
  return writeHeadFile(dataDir, head, clock())
}

type RecordingContext = Pick<Context, 'database' | 'config' | 'clock' | 'auditKey'>

/** Whether the log has a head, or lacks it because a backup from before it was restored. */
async function isConfirmed(db: Db, key: HmacKey | undefined, witness: Witness): Promise<boolean> {
  if (witness.id === 0 || (await hasChange(db, witness))) return true
  // Without the key, whoever has removed changes could insert one.
  for (const { restore, before } of await findRestores(db))
    if (isReplaced(witness, restore) && (!key || isSealedWith(key, restore, before))) return true
  return false
}

/** Records the head of the log in place of any other, after another state of the log has replaced the one before. */
export async function replaceHead({ database, config, clock }: RecordingContext): Promise<void> {
  await writeHeadFile(config.dataDir, await readHead(database.read), clock())
}

/**
 * Replaces the file durably: after a power failure it has the previous head or this one. Processes that share the
 * folder do not disturb each other.
 */
async function writeHeadFile(dataDir: string, { id, hash }: LogHead, at: number): Promise<Witness> {
  const source = headFileIn(dataDir)
  const temporary = `${source}.${randomUUID()}`
  try {
    {
      await using file = await open(temporary, 'wx', 0o600)
      await file.writeFile(`${id} ${hash} ${at}\n`)
      await file.sync()
    }
    await rename(temporary, source)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncPath(dataDir)
  return { id, hash, at, source }
}
