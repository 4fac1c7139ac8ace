import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { benchOf, thisCheckout } from './checkout.ts'
import { inTurns, type Round } from './figures.ts'
import { standardDataSet } from './generate.ts'
import { ownDatabase } from './own-database.ts'
import type { RunOptions } from './run.ts'
import { type Server, startSummit } from './server.ts'
import { slowSync } from './slow-sync.ts'
import { type Case, cases } from './workload.ts'

/** A case as this checkout and another have served it. */
export interface Compared {
  name: string
  what: string
  /** The most of the other's processor time for a request that ours may be. */
  limit: number
  /** `ours` are of this checkout. */
  rounds: Round[]
}

/** A twentieth more where a database takes most of the time, in which the rest is hard to see; else a tenth. */
export const limitOf = ({ cold, onPostgres }: Case): number => (cold || onPostgres ? 1.05 : 1.1)

/** Measures every case with the servers of this checkout and of another in turns, each on data that it has loaded itself. */
export async function versus(other: string, { only, databaseUrl, ...load }: RunOptions): Promise<Compared[]> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-versus-'))
  await using stack = new AsyncDisposableStack()
  const chosen = cases.filter(
    ({ name, onPostgres }) => (only?.includes(name) ?? true) && (!onPostgres || databaseUrl !== undefined),
  )
  const prepare = async (checkout: string, name: string): Promise<Prepared> => {
    const prepared: Prepared = { checkout, folder: join(work.path, name) }
    if (chosen.some(({ onPostgres }) => !onPostgres))
      await loadBy(checkout, { DATA_DIR: join(prepared.folder, 'loaded') })
    if (chosen.some(({ onPostgres }) => onPostgres)) {
      const { url } = stack.use(await ownDatabase(databaseUrl ?? '', `versus_${name}`))
      prepared.onServer = { DATABASE_URL: url, DATA_DIR: join(prepared.folder, 'server') }
      await loadBy(checkout, prepared.onServer)
    }
    return prepared
  }
  const sides = [await prepare(thisCheckout, 'this'), await prepare(other, 'other')] as const

  const compared: Compared[] = []
  for (const one of chosen) {
    const { name, what, requests } = one
    const disk = one.slowDisk ? slowSync(work.path) : {}
    await using ours = await startOn(sides[0], one, disk)
    await using others = await startOn(sides[1], one, disk)
    const rounds = await inTurns({ server: ours, requests }, { server: others, requests }, load)
    compared.push({ name, what, limit: limitOf(one), rounds })
    process.stderr.write(`${name}\n`)
  }
  return compared
}

/** A checkout with its data. */
interface Prepared {
  checkout: string
  /** With the data in `loaded`, of which each case has its copy. */
  folder: string
  /** Where its data is on PostgreSQL. */
  onServer?: Record<string, string>
}

/** Each checkout fills the tables that its own migrations have made. */
async function loadBy(checkout: string, place: Record<string, string>): Promise<void> {
  const [node, ...args] = benchOf(checkout)
  const env = { PATH: process.env.PATH, ...place }
  await promisify(execFile)(node, [...args, 'load', standardDataSet()], { env })
}

/** Each case begins with the same data, whatever others have written; on PostgreSQL none writes. */
function startOn({ checkout, folder, onServer }: Prepared, one: Case, disk: Record<string, string>): Promise<Server> {
  const own = join(folder, one.name)
  if (!one.onPostgres) cpSync(join(folder, 'loaded'), own, { recursive: true })
  const place = one.onPostgres ? onServer : { DATA_DIR: own }
  const settings = { ...disk, ...place, PORT: '0', ...(one.cold && { PAGE_CACHE_BYTES: '0' }) }
  return startSummit(settings, join(folder, 'log'), checkout)
}
