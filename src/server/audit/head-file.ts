import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { hasChange, readHead } from '../changes/log.ts'
import { hasCode } from '../core/error-code.ts'
import { syncPath } from '../data-dir/sync-path.ts'
import type { LogHead } from '../db/log-head.ts'
import type { Db } from '../db/tables.ts'
import type { Witness } from './verify-chain.ts'

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
 * Records the head of the log, unless the log lacks the head that was recorded before, or the file contains none: then
 * the file stays as evidence.
 * @returns whether the file has the head of the log
 */
export async function recordHead(db: Db, dataDir: string, now: number): Promise<boolean> {
  const recorded = await readHeadFile(dataDir)
  if (recorded === null || (recorded && recorded.id > 0 && !(await hasChange(db, recorded)))) return false
  const head = await readHead(db)
  if (head.id !== recorded?.id || head.hash !== recorded.hash) await writeHeadFile(dataDir, head, now)
  return true
}

/** Records the head of the log in place of any other, after another state of the log has replaced the one before. */
export const replaceHead = async (db: Db, dataDir: string, now: number): Promise<void> =>
  writeHeadFile(dataDir, await readHead(db), now)

/** Replaces the file durably: after a power failure it has the previous head or this one. */
async function writeHeadFile(dataDir: string, { id, hash }: LogHead, now: number): Promise<void> {
  const temporary = `${headFileIn(dataDir)}.new`
  {
    await using file = await open(temporary, 'w', 0o600)
    await file.writeFile(`${id} ${hash} ${now}\n`)
    await file.sync()
  }
  await rename(temporary, headFileIn(dataDir))
  await syncPath(dataDir)
}
