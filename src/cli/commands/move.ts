import { resolve } from 'node:path'
import { isLocal } from '../../server/blobs/blobs-url.ts'
import { openBlobs } from '../../server/blobs/open.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { blobsDir, type Context, createContext } from '../../server/context.ts'
import { OperatorError } from '../../server/core/operator-error.ts'
import { throwUncaught } from '../../server/core/throw-uncaught.ts'
import { inDataDir, makeDataDir } from '../../server/data-dir/data-dir.ts'
import { describeDatabase, isInitialized } from '../../server/db/initialized.ts'
import { openDatabase } from '../../server/db/open.ts'
import { lockForServing } from '../../server/db/serving-lock.ts'
import type { DatabaseTarget } from '../../server/db/target.ts'
import { beginMove, endMove, hasMoved } from '../../server/lifecycle/unfinished-move.ts'
import { assertFilesMoved, assertUnchanged, MoveFailed, moveFiles, moveTables } from '../../server/move/move.ts'
import { destination } from '../destination.ts'
import { progress } from '../progress.ts'
import { commandStatementMs, refuseMissing } from '../with-context.ts'

interface Options {
  /** As `DATABASE_URL`, or a folder: an absolute path, or one that begins with `./` or `../`. */
  to?: string
  /** As `BLOBS_URL`. */
  blobs?: string
}

/**
 * `summit move`: copies the summit of the configuration to another place, compares the two, and leaves the first as it
 * was.
 */
export async function moveSummit(options: Options): Promise<void> {
  const from = readConfig(process.env).config
  const { settings, config: to } = target(from, options)
  const isMoved = { tables: placeOf(from) !== placeOf(to), files: filesOf(from) !== filesOf(to) }
  if (!isMoved.tables && !isMoved.files) throw new OperatorError('That is where the summit is already.')
  await inDataDir(from.dataDir, () => refuseMissing(from.database))

  if (isMoved.tables && (await hasMovedBefore(from, to, isMoved.files)))
    console.log(
      `This summit has moved to ${describeDatabase(to.database)} already: everything that happened here has happened there. ${startWith}`,
    )
  else {
    await makeDataDir(from.dataDir)
    await makeDataDir(to.dataDir)
    await copyLocked(from, to, isMoved)
    console.log(`\nEverything is there and the same. ${startWith}`)
  }
  for (const setting of settings) console.log(`  ${setting}`)
  console.log(`\n${isMoved.tables ? oldDatabase(from.database) : oldFiles}`)
}

const startWith = 'From now on start Summit with'

/** Either may be served meanwhile. @throws MoveFailed where only the rows have moved and the files are to move, too */
async function hasMovedBefore(from: Config, to: Config, withFiles: boolean): Promise<boolean> {
  if (!(await inDataDir(to.dataDir, () => isInitialized(to.database)))) return false
  await using opened = new AsyncDisposableStack()
  const openTables = async (config: Config) =>
    opened.adopt(
      await inDataDir(config.dataDir, () => openDatabase(config.database, throwUncaught, commandStatementMs)),
      (database) => database.close(),
    )
  const there = await openTables(to)
  if (!(await hasMoved(await openTables(from), there))) return false
  const openFiles = async (config: Config) =>
    opened.adopt(await openBlobs(config.blobs, blobsDir(config), throwUncaught), (blobs) => blobs.close())
  if (withFiles) await assertFilesMoved(there.read, await openFiles(from), await openFiles(to))
  return true
}

/** What is to be at the other place in the end. */
interface Moved {
  tables: boolean
  files: boolean
}

/** While nobody serves either. */
async function copyLocked(from: Config, to: Config, isMoved: Moved): Promise<void> {
  await using opened = new AsyncDisposableStack()
  opened.defer(lockForServing(from.database))
  if (isMoved.tables) opened.defer(lockForServing(to.database))
  const statementMs = commandStatementMs
  const here = opened.adopt(await createContext(from, { statementMs }), (ctx) => ctx.close())
  if (isMoved.tables) await inDataDir(to.dataDir, () => markUnfinished(to.database))
  const initialSigningKey = here.signatureKey.export().toString('hex')
  const there = opened.adopt(await createContext(to, { statementMs, initialSigningKey }), (ctx) => ctx.close())
  await move(here, there, isMoved)
}

/** Before the rest is opened, which may fail: what is there then is not to be taken for a summit that is new. */
async function markUnfinished(place: DatabaseTarget): Promise<void> {
  const database = await openDatabase(place, throwUncaught, commandStatementMs)
  await beginMove(database).finally(() => database.close())
}

/** Nothing in the old place says that it is the old one: a start there would part the summit in two. */
const oldDatabase = (place: DatabaseTarget): string =>
  `What was in ${describeDatabase(place)} is still there. A start with the old settings would serve it, and what is written ` +
  'then is not in the new place.\nSo change them now wherever Summit is started, and see docs/operate.md (Moving ' +
  'house) for how to put the old one away.'

const oldFiles =
  'The files are still in the old place as well. With the old settings new ones would be kept there only.\n' +
  'So change them now wherever Summit is started.'

/** The configuration of the other place, and a line for each setting that makes the difference, also by being unset. */
function target(from: Config, { to, blobs }: Options): { settings: string[]; config: Config } {
  if (to === undefined && blobs === undefined) throw new OperatorError('Say where to: --to, --blobs, or both.')
  const { DATABASE_URL, BLOBS_URL, ...others } = process.env
  const moved = to === undefined ? {} : destination(to)
  const isFolder = 'DATA_DIR' in moved
  const changed = { ...moved, ...(blobs !== undefined && { BLOBS_URL: blobs }) }
  const kept = {
    // Where only the files move, or only the tables, the other stay where they are.
    ...(to === undefined && DATABASE_URL !== undefined && { DATABASE_URL }),
    ...(blobs === undefined && !isFolder && BLOBS_URL !== undefined && { BLOBS_URL }),
  }
  const { config } = readConfig({ ...others, ...kept, ...changed })
  const now = { DATA_DIR: from.dataDir, ...kept, ...changed }
  const unset = Object.entries({ DATABASE_URL, BLOBS_URL }).filter(([name, value]) => value && !(name in now))
  const settings = [
    ...Object.entries(now).map(([name, value]) => `${name}=${withoutPassword(value)}`),
    ...unset.map(([name]) => `without ${name}`),
  ]
  return { settings, config }
}

/** A URL has its password before the host or, as where that is a socket, in the query. */
const withoutPassword = (value: string): string =>
  value.replace(/:\/\/[^/?#]*@/, '://…@').replace(/([?&]password=)[^&#]*/g, '$1…')

const placeOf = ({ database }: Config): string =>
  database.kind === 'folder' ? resolve(database.dir) : JSON.stringify(database)
const filesOf = ({ blobs, dataDir }: Config): string => JSON.stringify([blobs, isLocal(blobs) && resolve(dataDir)])

async function move(here: Context, there: Context, isMoved: Moved): Promise<void> {
  if (!here.signatureKey.equals(there.signatureKey))
    throw new MoveFailed('There is another signing key where this one is to move. Remove it, or set SIGNATURE_KEY.')
  const position = await here.database.position()
  const digests = isMoved.tables ? await moveTables(here.database, there.database, progress) : []
  // Nobody is to wait for all the files to hear it,
  await assertUnchanged(here.database, position)
  const files = isMoved.files ? await moveFiles(here.database.read, here.blobs, there.blobs, progress) : undefined
  // which may take long enough for somebody to write.
  await assertUnchanged(here.database, position)
  if (isMoved.tables) await endMove(there.database)
  for (const [table, { rows, sha256 }] of digests)
    console.log(`${table.padEnd(12)} ${String(rows).padStart(9)} rows   ${sha256.slice(0, 16)}  the same`)
  if (files !== undefined)
    console.log(`${'files'.padEnd(12)} ${String(files).padStart(9)} files  byte by byte      the same`)
}
