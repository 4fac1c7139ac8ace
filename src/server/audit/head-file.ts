import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasChange, newestChanges } from '../changes/log.ts'
import { hasCode } from '../core/error-code.ts'
import type { Db } from '../db/tables.ts'
import type { Witness } from './verify-chain.ts'

/** Where a server records the head of the log, outside the database. */
const fileIn = (dataDir: string): string => join(dataDir, 'audit-head')

/** @returns undefined if no head is recorded, or it cannot be read */
export async function readHeadFile(dataDir: string): Promise<Witness | undefined> {
  const path = fileIn(dataDir)
  try {
    const [id, hash = '', at] = (await readFile(path, 'utf8')).trim().split(' ')
    return { id: Number(id), hash, at: Number(at), source: path }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Records the head of the log, unless the log lacks the head that was recorded before: that one remains as evidence.
 * @returns whether the log has it
 */
export async function recordHead(db: Db, dataDir: string, now: number): Promise<boolean> {
  const recorded = await readHeadFile(dataDir)
  const [newest] = await newestChanges(db, 1)
  if (recorded && !(await hasChange(db, recorded))) return false
  if (!newest || (newest.id === recorded?.id && newest.hash === recorded.hash)) return true
  const temporary = `${fileIn(dataDir)}.new`
  await writeFile(temporary, `${newest.id} ${newest.hash} ${now}\n`, { mode: 0o600 })
  await rename(temporary, fileIn(dataDir))
  return true
}

/** Forgets the recorded head, as another state of the log replaces the present one. */
export const removeHeadFile = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true })
