import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { commandName } from '../../server/core/command-name.ts'
import { shellArg } from '../../server/core/shell-arg.ts'
import { findMissingFile } from '../../server/domains/files/files.ts'
import { findMissingPicture } from '../../server/domains/program/pictures.ts'
import { bytesForCopy } from '../../server/lifecycle/start/assert-room.ts'
import { assertDatabasePresent } from '../../server/lifecycle/start/lost-database.ts'
import { assertNotMoved } from '../../server/lifecycle/start/moved.ts'
import { describeContent, describeLocation } from '../../server/lifecycle/start/summit-description.ts'
import { assertNoUnfinishedMove } from '../../server/lifecycle/start/unfinished-move.ts'
import { describeBlobTarget, isLocal } from '../../server/storage/blobs/blob-target.ts'
import { openBlobReader } from '../../server/storage/blobs/open.ts'
import { blobsDir, inDataDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { type DatabaseState, readDatabaseState } from '../../server/storage/db/database-state.ts'
import { describeDatabase, isInitialized } from '../../server/storage/db/initialized.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import type { Inspection } from '../../server/storage/db/inspection.ts'
import { findPendingMigrations } from '../../server/storage/db/migrate.ts'
import { megabytes } from '../backups.ts'
import { progress } from '../progress.ts'
import { type Check, type Diagnosis, ok, orOk, problem, warning } from './diagnosis.ts'

/** The files and folders that Summit writes to; there may also be a settings file that only root can change. */
const isOurs = (name: string): boolean => /^(summit\.db|signature\.key|serving\.lock|blobs|placeholders)$/.test(name)

/** Whether DATA_DIR and what is in it can be used by this user, and only by this user. */
export const checkFolder: Check = ({ loaded: { config } }) =>
  inDataDir(config.dataDir, async () => {
    const dir = resolve(config.dataDir)
    const stats = await stat(dir).catch(() => undefined)
    if (!stats)
      return [
        warning(`${dir} does not exist yet. The first start creates it; if there should be one, correct DATA_DIR.`),
      ]
    // It exists, so nothing is created.
    await makeDataDir(dir)
    for (const name of (await readdir(dir)).filter(isOurs))
      await access(join(dir, name), constants.R_OK | constants.W_OK)
    const isShared = process.platform !== 'win32' && (stats.mode & 0o077) !== 0
    return orOk(
      isShared ? [warning(`Other users of this machine can read ${dir}. Run: chmod go-rwx ${shellArg(dir)}`)] : [],
      `${dir}, which only its owner can read`,
    )
  })

/** Below this, uploads soon fill the disk. */
const [fewBytes, someBytes] = [100e6, 1e9]

/** Whether there is space for new data, and for a copy of the database: a backup and an upgrade make one. */
export const checkDisk: Check = async ({ loaded: { config } }) => {
  const { dataDir, database } = config
  const stats = await statfs(dataDir).catch(() => undefined)
  if (!stats) return []
  const free = stats.bavail * stats.bsize
  const bytes = await readDatabaseState(database).then(
    (state) => state.bytes,
    () => 0,
  )
  const text = `${megabytes(free)} are free in DATA_DIR; the database takes ${megabytes(bytes)}`
  const remedy = 'Free space there: when it is full, writes fail with 5070, and backups need a copy of the database.'
  if (free < Math.max(fewBytes, bytesForCopy(bytes))) return [problem(`Only ${text}. ${remedy}`)]
  if (free < Math.max(someBytes, 3 * bytes)) return [warning(`Only ${text}. ${remedy}`)]
  return [ok(text)]
}

/** Whether the database can be reached, has this version's schema, is the place of the summit, and is undamaged. */
export const checkDatabase: Check = async ({ loaded }) => {
  const { database: target } = loaded.config
  await assertDatabasePresent(loaded.config)
  if (!(await isInitialized(target)))
    return [
      warning(
        `There is no summit in ${describeDatabase(target)} yet. The first start creates one; if there should be one, ` +
          'correct DATA_DIR or DATABASE_URL.',
      ),
    ]
  const state = await readDatabaseState(target)
  const inspection = await openInspection(target)
  try {
    return [
      ...(await inspectDatabase(inspection, describeLocation(loaded), state)),
      ...(state.server?.unsafeSettings ?? []).map(problem),
    ]
  } finally {
    await inspection.close()
  }
}

async function inspectDatabase(inspection: Inspection, place: string, { server }: DatabaseState): Promise<Diagnosis[]> {
  const { read } = inspection
  const damage = await progress('Checking the database', 1, async (onProgress) => {
    onProgress(0)
    const problems = await Array.fromAsync(inspection.findDamage())
    onProgress()
    return problems
  })
  if (damage[0] !== undefined)
    return [
      problem(
        `${damage[0]}. To list all damage: ${commandName} check; then see docs/operate/troubleshooting.md, “Damage”.`,
      ),
    ]
  const pending = await findPendingMigrations(read)
  if (pending.length > 0)
    return [warning(`${place} was written by an older Summit. Commands work once this version has been started on it.`)]
  await assertNoUnfinishedMove(read)
  await assertNotMoved(read)
  return [ok(`${place}: ${await describeContent(read)}${server ? `; ${server.version}` : ''}`)]
}

/** Whether the store of files can be reached, and has the newest ones. */
export const checkFiles: Check = async ({ loaded: { config }, database }) => {
  const place = describeBlobTarget(config.blobs, blobsDir(config))
  const blobs = await openBlobReader(config.blobs, blobsDir(config))
  try {
    // Shows that a bucket can be reached even if the summit has no files.
    if (!isLocal(config.blobs)) await blobs.list()[Symbol.asyncIterator]().next()
    if (!database) return []
    const { read } = database
    const missing = (await findMissingFile(read, blobs)) ?? (await findMissingPicture(read, blobs))
    if (missing === undefined) return [ok(`${place} has the newest files`)]
    return [
      problem(
        `${missing}, which is among the newest files, is missing from ${place}. Set the right DATA_DIR or BLOBS_URL, or ` +
          `restore it from a backup: ${commandName} restore --files`,
      ),
    ]
  } finally {
    await blobs.close()
  }
}
