import { createHash } from 'node:crypto'
import { messageOf } from '../../core/errors.ts'
import { Failure } from '../../core/failure.ts'
import type { Progress } from '../../core/progress.ts'
import { countOwnedBlobs, listOwnedBlobs } from '../../domains/orphans/owned-blobs.ts'
import { type BlobReader, type OwnedBlob, openStoredBlob } from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import type { Inspection } from '../../storage/db/inspection.ts'
import { type Db, tableNames } from '../../storage/db/tables.ts'
import { countRows, readBatches } from '../move/tables.ts'

/** How many problems are listed; further ones are only counted. */
const maxListed = 1_000

/** The result of a check. */
export class Findings {
  rows = 0
  files = 0
  problems = 0
  readonly listed: string[] = []

  add(problem: string): void {
    this.problems++
    if (this.listed.length < maxListed) this.listed.push(problem)
  }
}

/** Runs the engine's integrity checks, and reads every row of every table. A read error is a finding. */
export async function checkDatabase(database: Inspection, findings: Findings, progress: Progress): Promise<void> {
  await progress('Checking the database', 1, async (onProgress) => {
    onProgress(0)
    await addErrorAsFinding(findings, 'The database cannot be checked', async () => {
      for await (const problem of database.findDamage()) findings.add(problem)
    })
    onProgress()
  })
  let total = 0
  for (const table of tableNames)
    await addErrorAsFinding(findings, `The rows of ${table} cannot be counted`, async () => {
      total += await countRows(database.read, table)
    })
  await progress('Reading rows', total, async (onProgress) => {
    for (const table of tableNames)
      await addErrorAsFinding(findings, `The table ${table} cannot be read`, async () => {
        for await (const { length } of readBatches(database.read, table)) {
          findings.rows += length
          onProgress(length)
        }
      })
  })
}

async function addErrorAsFinding(findings: Findings, summary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    findings.add(`${summary}: ${messageOf(error)}`)
  }
}

/** Files that are read concurrently: a remote store takes most of the time to respond. */
const concurrency = 8

/**
 * Reads every stored file and picture that a row refers to, and compares it with the row.
 * @throws Failure when the store cannot be reached; also errors of reading rows
 */
export async function checkFiles(db: Db, blobs: BlobReader, findings: Findings, progress: Progress): Promise<void> {
  await progress('Reading files', await countOwnedBlobs(db), async (onProgress) => {
    const remaining = listOwnedBlobs(db)
    const checkRemaining = async () => {
      for await (const blob of remaining) {
        const problem = await checkBlob(blobs, blob)
        if (problem !== undefined) findings.add(`${blob.owner}: ${problem}`)
        findings.files++
        onProgress()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, checkRemaining))
  })
}

/** @returns the problem of a blob; undefined if there is none */
async function checkBlob(blobs: BlobReader, { key, size, sha256 }: OwnedBlob): Promise<string | undefined> {
  try {
    const hash = createHash('sha256')
    for await (const chunk of await openStoredBlob(blobs, { key, size })) hash.update(chunk)
    if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new DamagedBlob(key, 'wrong_content')
    return undefined
  } catch (error) {
    if (error instanceof DamagedBlob) return error.message
    // An unavailable store says nothing about the file.
    if (error instanceof Failure) throw error
    return `the stored file ${key} cannot be read: ${messageOf(error)}`
  }
}
