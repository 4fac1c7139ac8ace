import { isAbsolute, resolve } from 'node:path'
import {
  assertFilesMoved,
  assertUnchanged,
  MoveFailed,
  moveFiles,
  moveTables,
} from '../../server/commands/move/move.ts'
import { type Config, type LoadedConfig, readConfig } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import { commandName } from '../../server/core/command-name.ts'
import { OperatorError, throwUncaught } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { createContext } from '../../server/lifecycle/start/create-context.ts'
import { assertNotMoved, findNewLocation, markMoved, unmarkMoved } from '../../server/lifecycle/start/moved.ts'
import { describeTarget } from '../../server/lifecycle/start/summit-description.ts'
import { beginMove, endMove, hasMoved, hasUnfinishedMove } from '../../server/lifecycle/start/unfinished-move.ts'
import { isLocal } from '../../server/storage/blobs/blob-target.ts'
import { openBlobs } from '../../server/storage/blobs/open.ts'
import { blobsDir, inDataDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { describeDatabase, isInitialized } from '../../server/storage/db/initialized.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { lockForServing } from '../../server/storage/db/locks.ts'
import { openDatabase, openUnmigratedDatabase } from '../../server/storage/db/open.ts'
import { type DatabaseTarget, databaseUrl, hidePassword } from '../../server/storage/db/target.ts'
import { progress } from '../progress.ts'
import { assertInitialized, commandStatementMs, withExistingSummit } from '../with-context.ts'

interface Options {
  /** A `DATABASE_URL`, or a folder: an absolute path, or one that begins with `./` or `../`. */
  to?: string
  /** A `BLOBS_URL`. */
  blobs?: string
}

/**
 * `summit move`: copies the configured summit to another location and verifies the copy. The original is left in place,
 * marked as moved.
 */
export async function moveSummit(loaded: LoadedConfig, options: Options): Promise<void> {
  const from = loaded.config
  const { settings, config: to } = resolveDestination(loaded, options)
  const parts = { tables: databaseKey(from) !== databaseKey(to), files: blobsKey(from) !== blobsKey(to) }
  if (!parts.tables && !parts.files) throw new OperatorError('The summit is already at this destination.')
  await inDataDir(from.dataDir, () => assertInitialized(from.database))
  await makeDataDir(from.dataDir)
  using locks = new DisposableStack()
  locks.defer(lockForServing(from.database))

  if (parts.tables && (await hasMovedBefore(from, to, parts.files)))
    console.log(
      `This summit has already been moved to ${describeDatabase(to.database)}, and nothing has been written here since. ${startWith}`,
    )
  else {
    await assertStillHere(from, to)
    await makeDataDir(to.dataDir)
    await lockAndMove(from, to, parts)
    console.log(`\nMove complete: everything was copied and verified. ${startWith}`)
  }
  for (const setting of settings) console.log(`  ${setting}`)
  console.log(`\n${parts.tables ? oldDatabase(from.database) : oldFiles}`)
}

const startWith = 'From now on, start Summit with'

/** The destination may be served meanwhile. @throws MoveFailed if the rows have moved but the files have not */
async function hasMovedBefore(from: Config, to: Config, withFiles: boolean): Promise<boolean> {
  if (!(await inDataDir(to.dataDir, () => isInitialized(to.database)))) return false
  await using opened = new AsyncDisposableStack()
  const openTables = async (config: Config) =>
    opened.adopt(
      await inDataDir(config.dataDir, () => openDatabase(config.database, throwUncaught, commandStatementMs)),
      (database) => database.close(),
    )
  const destination = await openTables(to)
  const source = await openTables(from)
  const position = await source.position()
  if (!(await hasMoved(source, destination))) return false
  const openFiles = async (config: Config) =>
    opened.adopt(await openBlobs(config.blobs, blobsDir(config), throwUncaught), (blobs) => blobs.close())
  if (withFiles) await assertFilesMoved(destination.read, await openFiles(from), await openFiles(to))
  const newer = await findNewLocation(destination.read)
  if (newer !== undefined)
    throw new OperatorError(
      `${describeTarget(to.database)} is marked as moved to ${newer}. To use it again, run with its settings: ` +
        `${commandName} move --revoke`,
    )
  await markMoved(source, position, describeTarget(to.database))
  return true
}

/**
 * A move that was interrupted after it had marked the source can still be continued.
 * @throws CannotOpen if the summit was moved elsewhere
 */
async function assertStillHere(from: Config, to: Config): Promise<void> {
  const source = await openInspection(from.database)
  try {
    const isInterrupted =
      (await findNewLocation(source.read)) === describeTarget(to.database) && (await isUnfinishedTarget(to))
    if (!isInterrupted) await assertNotMoved(source.read)
  } finally {
    await source.close()
  }
}

async function isUnfinishedTarget({ dataDir, database }: Config): Promise<boolean> {
  if (!(await inDataDir(dataDir, () => isInitialized(database)))) return false
  const target = await openInspection(database)
  return hasUnfinishedMove(target.read).finally(() => target.close())
}

/** The parts of the summit that change location. */
interface MovedParts {
  tables: boolean
  files: boolean
}

/** Holds the lock for serving the destination throughout the move; that of the source is held already. */
async function lockAndMove(from: Config, to: Config, parts: MovedParts): Promise<void> {
  await using opened = new AsyncDisposableStack()
  if (parts.tables) opened.defer(lockForServing(to.database))
  const statementMs = commandStatementMs
  const source = opened.adopt(await createContext(from, { statementMs }), (ctx) => ctx.close())
  if (parts.tables) await inDataDir(to.dataDir, () => markUnfinished(to.database))
  const initialSigningKey = source.signatureKey.toHex()
  const initialAuditKey = source.auditKey?.toHex()
  const target = opened.adopt(
    await createContext(to, {
      statementMs,
      initialSigningKey,
      ...(initialAuditKey !== undefined && { initialAuditKey }),
    }),
    (ctx) => ctx.close(),
  )
  await move(source, target, parts)
}

/** Runs before anything else is opened, which may fail: the target must not be mistaken for a new summit. */
async function markUnfinished(target: DatabaseTarget): Promise<void> {
  const database = await openDatabase(target, throwUncaught, commandStatementMs)
  await beginMove(database).finally(() => database.close())
}

const oldDatabase = (old: DatabaseTarget): string =>
  `The data in ${describeDatabase(old)} was left in place and marked as moved: a server or command with the old settings ` +
  'says so and exits.\nChange the settings now wherever Summit is started. See docs/operate/storage.md for how to retire the old ' +
  'database.'

const oldFiles =
  'The files were left in the old location, too. A server started with the old settings would store new files only ' +
  'there.\nChange the settings now wherever Summit is started.'

/** The configuration of the destination, and a line for each setting to change or unset. */
function resolveDestination(
  { config: from, environment }: LoadedConfig,
  { to, blobs }: Options,
): { settings: string[]; config: Config } {
  if (to === undefined && blobs === undefined) throw new OperatorError('Specify a destination: --to, --blobs, or both.')
  const { DATABASE_URL, BLOBS_URL, ...others } = environment
  const database = to === undefined ? {} : parseDestination(to)
  const isFolder = 'DATA_DIR' in database
  const changed = { ...database, ...(blobs !== undefined && { BLOBS_URL: blobs }) }
  const unchanged = {
    // If only the files or only the tables move, the others stay where they are.
    ...(to === undefined && DATABASE_URL !== undefined && { DATABASE_URL }),
    ...(blobs === undefined && !isFolder && BLOBS_URL !== undefined && { BLOBS_URL }),
  }
  const { config } = readConfig({ ...others, ...unchanged, ...changed })
  const newSettings = { DATA_DIR: from.dataDir, ...unchanged, ...changed }
  const unset = Object.entries({ DATABASE_URL, BLOBS_URL }).filter(([name, value]) => value && !(name in newSettings))
  const settings = [
    ...Object.entries(newSettings).map(([name, value]) => `${name}=${hidePassword(value)}`),
    ...unset.map(([name]) => `without ${name}`),
  ]
  return { settings, config }
}

const databaseKey = ({ database }: Config): string =>
  database.kind === 'folder' ? resolve(database.dir) : JSON.stringify(database)
const blobsKey = ({ blobs, dataDir }: Config): string => JSON.stringify([blobs, isLocal(blobs) && resolve(dataDir)])

async function move(source: Context, target: Context, parts: MovedParts): Promise<void> {
  if (!source.signatureKey.equals(target.signatureKey))
    throw new MoveFailed('The destination has a different signing key. Remove that key, or set SIGNATURE_KEY.')
  if (source.auditKey && !target.auditKey?.equals(source.auditKey))
    throw new MoveFailed(
      'The destination has a different key for the change log. Remove its audit.key, or set AUDIT_KEY.',
    )
  const position = await source.database.position()
  const digests = parts.tables ? await moveTables(source.database, target.database, progress) : []
  // Checked here as well, so that a write is reported before the files are copied.
  await assertUnchanged(source.database, position)
  const files = parts.files ? await moveFiles(source.database.read, source.blobs, target.blobs, progress) : undefined
  await assertUnchanged(source.database, position)
  if (parts.tables) {
    // The source first: at no time may both be served, since each would take writes that the other does not have.
    await markMoved(source.database, position, describeTarget(target.config.database))
    await endMove(target.database)
  }
  const width = Math.max('files'.length, ...Array.from(digests, ([table]) => table.length))
  for (const [table, { rows, sha256 }] of digests)
    console.log(`${table.padEnd(width)} ${formatCount(rows, 'row').padStart(14)}   ${sha256.slice(0, 16)}  identical`)
  if (files !== undefined)
    console.log(`${'files'.padEnd(width)} ${formatCount(files, 'file').padStart(15)}  byte by byte      identical`)
}

/** `summit move --revoke`: lets servers start again on a summit that was moved away. It copies nothing back. */
export const revokeMove = (config: Config): Promise<void> =>
  withExistingSummit(config, async () => {
    // The next start migrates it, which it refuses to do with a summit that was moved.
    const database = await openUnmigratedDatabase(config.database)
    try {
      const place = await findNewLocation(database.read)
      if (place === undefined) throw new OperatorError('This summit has not been moved.')
      await unmarkMoved(database)
      console.log(
        `Servers and commands use this copy again. It is missing everything that was written to ${place} since the move.`,
      )
    } finally {
      await database.close()
    }
  })

/**
 * Parses a destination into its setting: a database URL, or a folder. A folder has to look like one, because a bare
 * name may be a mistyped URL.
 * @throws OperatorError for anything else
 */
function parseDestination(to: string): { DATABASE_URL: string } | { DATA_DIR: string } {
  if (databaseUrl.isValid(to)) return { DATABASE_URL: to }
  if (isAbsolute(to) || /^\.\.?([/\\]|$)/.test(to)) return { DATA_DIR: resolve(to) }
  throw new OperatorError(
    `--to must be a folder that begins with /, ./ or ../; otherwise it ${databaseUrl.expectation}`,
  )
}
