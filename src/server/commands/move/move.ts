import { OperatorError } from '../../core/errors.ts'
import { formatCount } from '../../core/format-count.ts'
import type { Progress } from '../../core/progress.ts'
import { referencedBlobKeys } from '../../domains/orphans/owned-blobs.ts'
import { changesAfter } from '../../log/changes/read-log.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import type { Database, Position } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import { compareFiles, copyFiles, countFiles, findMissingFiles } from './files.ts'
import { copyTable, countRows, digestTable, findMovedTables, type MovedTable, type TableDigest } from './tables.ts'

/** A move failed. The message is one line. */
export class MoveFailed extends OperatorError {
  override readonly name = 'MoveFailed'
}

/**
 * Copies the tables of `from` to `to`, and compares them. A database of an older version does not have all tables.
 * @returns the digest of each table
 * @throws MoveFailed when a table differs after the copy
 */
export async function moveTables(
  from: Pick<Database, 'read'>,
  to: Database,
  progress: Progress,
): Promise<Map<MovedTable, TableDigest>> {
  const tables = await findMovedTables(from.read)
  let rowCount = 0
  for (const table of tables) rowCount += await countRows(from.read, table)
  await progress('Copying rows', rowCount, async (onProgress) => {
    for (const table of tables) await copyTable(from.read, to, table, onProgress)
  })
  await to.afterLoad()

  return progress('Comparing rows', 2 * rowCount, async (onProgress) => {
    const digests = new Map<MovedTable, TableDigest>()
    for (const table of tables) {
      const [source, target] = await Promise.all([
        digestTable(from.read, table, onProgress),
        digestTable(to.read, table, onProgress),
      ])
      if (source.rows !== target.rows || source.sha256 !== target.sha256)
        throw new MoveFailed(
          `The table ${table} differs: ${formatCount(source.rows, 'row')} in the source, ${target.rows} in the target. ${retryHint}`,
        )
      digests.set(table, source)
    }
    return digests
  })
}

const retryHint = 'Stop every server, then run the same command again; it continues where it stopped.'

/**
 * Copies the files that `to` does not have yet, and compares all of them. `to` may have additional files that rows of
 * `db` refer to: uploads since an earlier move.
 * @returns the number of compared files
 * @throws MoveFailed when files differ after the copy, or `to` has files of another summit
 */
export async function moveFiles(db: Db, from: BlobStore, to: BlobStore, progress: Progress): Promise<number> {
  const total = await countFiles(from)
  await progress('Copying files', total, (onProgress) => copyFiles(from, to, onProgress))
  const { files, different, extra } = await progress('Comparing files', total, (onProgress) =>
    compareFiles(from, to, onProgress),
  )
  if (different.length > 0)
    throw new MoveFailed(
      `Source and target differ in ${formatCount(different.length, 'file')}, for example ${different[0]}. ${retryHint}`,
    )
  const referenced = await referencedBlobKeys(db, extra)
  const foreign = extra.filter((key) => !referenced.has(key))
  if (foreign.length > 0)
    throw new MoveFailed(
      `The target of the move has files that the source does not have and no row refers to (${foreign.length}), for ` +
        `example ${foreign[0]}. If they do not belong to another summit, remove them, then run the same command ` +
        'again; it continues where it stopped.',
    )
  return files
}

/**
 * Checks that an earlier move did not move rows alone.
 * @param db the moved rows
 * @throws MoveFailed when they refer to files of `from` that `to` does not have
 */
export async function assertFilesMoved(db: Db, from: BlobStore, to: BlobStore): Promise<void> {
  const [first, ...others] = await referencedBlobKeys(db, await findMissingFiles(from, to))
  if (first !== undefined)
    throw new MoveFailed(
      `The rows of this summit were moved already, but files that they refer to were not (${others.length + 1}), for ` +
        `example ${first}. Run the same command with the settings that the earlier move printed; it then moves the ` +
        'files.',
    )
}

/**
 * Checks that nothing was written during the copy, which would be missing in the target.
 * @throws MoveFailed when `from` was written to since `position`
 */
export async function assertUnchanged(from: Database, position: Position): Promise<void> {
  const { epoch, id } = await from.position()
  if (epoch !== position.epoch || id !== position.id) throw writtenMeanwhile()
}

/**
 * Checks the same in a transaction that writes: nothing can be written between this check and its commit.
 * @throws MoveFailed when there are changes after `position`
 */
export async function assertNoLaterChange(tx: Db, { id }: Position): Promise<void> {
  if ((await changesAfter(tx, id, 1)).length > 0) throw writtenMeanwhile()
}

const writtenMeanwhile = (): MoveFailed =>
  new MoveFailed(`The summit was written to while it was copied, or its database server restarted. ${retryHint}`)
