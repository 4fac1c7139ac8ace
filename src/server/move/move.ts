import type { BlobStore } from '../blobs/blob-store.ts'
import { OperatorError } from '../core/operator-error.ts'
import type { Progress } from '../core/progress.ts'
import type { Database, Position } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { namedBlobs } from '../orphans/orphans.ts'
import { compareFiles, copyFiles, countFiles, missingFiles } from './files.ts'
import { copyTable, countRows, type Digest, digestOf, type MovedTable, movedTables } from './tables.ts'

/** A move did not come to its end; the message is one line. */
export class MoveFailed extends OperatorError {
  override readonly name = 'MoveFailed'
}

/**
 * Makes the tables of `to` the same as those of `from`, and compares them.
 * @returns what each table holds, here as there
 * @throws MoveFailed when they differ in the end
 */
export async function moveTables(from: Database, to: Database, progress: Progress): Promise<Map<MovedTable, Digest>> {
  let all = 0
  for (const table of movedTables) all += await countRows(from.read, table)
  await progress('Copying rows', all, async (onProgress) => {
    for (const table of movedTables) await copyTable(from.read, to, table, onProgress)
  })
  await to.afterLoad()

  return progress('Comparing rows', 2 * all, async (onProgress) => {
    const found = new Map<MovedTable, Digest>()
    for (const table of movedTables) {
      const [here, there] = await Promise.all([
        digestOf(from.read, table, onProgress),
        digestOf(to.read, table, onProgress),
      ])
      if (here.rows !== there.rows || here.sha256 !== there.sha256)
        throw new MoveFailed(
          `The table ${table} is not the same: ${here.rows} rows here, ${there.rows} there. ${again}`,
        )
      found.set(table, here)
    }
    return found
  })
}

const again = 'Stop every server, then run the same command again; it goes on where it was.'

/**
 * Copies the files that are not there yet, and compares all of them. `to` may also have files that only rows of `db`
 * name: uploads since an earlier move.
 * @returns how many were compared
 * @throws MoveFailed when they differ in the end
 */
export async function moveFiles(db: Db, from: BlobStore, to: BlobStore, progress: Progress): Promise<number> {
  const all = await countFiles(from)
  await progress('Copying files', all, (onProgress) => copyFiles(from, to, onProgress))
  const { files, different, extra } = await progress('Comparing files', all, (onProgress) =>
    compareFiles(from, to, onProgress),
  )
  if (different.length > 0)
    throw new MoveFailed(`${different.length} files are not the same here and there, ${different[0]} for one. ${again}`)
  const named = await namedBlobs(db, extra)
  const foreign = extra.filter((key) => !named.has(key))
  if (foreign.length > 0)
    throw new MoveFailed(
      `Where this summit is to move there are files that are neither here nor named by a row (${foreign.length}), ` +
        `${foreign[0]} for one. If they are not those of another summit, remove them, then run the same command again; ` +
        'it goes on where it was.',
    )
  return files
}

/**
 * An earlier move may have been one of rows alone.
 * @param db the rows that have moved
 * @throws MoveFailed when they name files of `from` that `to` does not have
 */
export async function assertFilesMoved(db: Db, from: BlobStore, to: BlobStore): Promise<void> {
  const [one, ...others] = await namedBlobs(db, await missingFiles(from, to))
  if (one !== undefined)
    throw new MoveFailed(
      `The rows of this summit have moved already, but files that they name have not (${others.length + 1}), ${one} ` +
        'for one. Run the same command with the settings that the earlier move printed; it moves the files then.',
    )
}

/**
 * What was written after its table or file was copied is not there.
 * @throws MoveFailed when `from` was written to since it was at `position`
 */
export async function assertUnchanged(from: Database, position: Position): Promise<void> {
  const { history, id } = await from.position()
  if (history !== position.history || id !== position.id)
    throw new MoveFailed(`The summit was written to while it was copied, or its server restarted. ${again}`)
}
