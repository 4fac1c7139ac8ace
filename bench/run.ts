import { cpSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxReaders } from '../src/server/db/postgres/open.ts'
import { type Figures, inTurns, type Load, median, medians } from './figures.ts'
import { standardDataSet } from './generate.ts'
import { loadDataSet } from './load.ts'
import { type Server, startServer, startSummit } from './server.ts'
import { slowSync } from './slow-sync.ts'
import { type Case, cases, type Floor } from './workload.ts'

/** A case with both of its sides. */
export interface Measured {
  name: string
  what: string
  floor: Floor
  target: number
  ours: Figures
  theFloor: Figures
  /** Our rate over the floor's: the median of the rounds' ratios. */
  ratio: number
}

export interface RunOptions extends Load {
  /** Names of cases; all without. */
  only: string[] | undefined
  /** A PostgreSQL to measure on as well; its database is emptied. */
  databaseUrl: string | undefined
  /** Whether floors with a database sign their answers as ours are signed. */
  signing?: boolean | undefined
}

const floors = join(import.meta.dirname, 'floors')

/** Measures every case next to its floor, one after the other in turns, so that both see the same machine. */
export async function run({ only, databaseUrl, signing = false, ...options }: RunOptions): Promise<Measured[]> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-bench-'))
  const dataSet = standardDataSet()
  const loaded = join(work.path, 'loaded')
  await loadDataSet(dataSet, { DATA_DIR: loaded })
  const onServer = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: join(work.path, 'server') }
  if (databaseUrl !== undefined) await loadDataSet(dataSet, onServer)

  const measured: Measured[] = []
  for (const one of cases) {
    if (only && !only.includes(one.name)) continue
    if (one.onPostgres && databaseUrl === undefined) continue
    // Each begins with the same data, whatever others have written.
    const [oursDir, floorDir] = [
      join(work.path, `${measured.length}-ours`),
      join(work.path, `${measured.length}-floor`),
    ]
    cpSync(loaded, oursDir, { recursive: true })
    cpSync(loaded, floorDir, { recursive: true })
    const disk = one.slowDisk ? slowSync(work.path) : {}
    const place = one.onPostgres ? onServer : { DATA_DIR: oursDir }
    const settings = { ...disk, ...place, PORT: '0', ...(one.cold && { PAGE_CACHE_BYTES: '0' }) }
    await using ours = await startSummit(settings, join(work.path, 'ours.log'))
    await using floor = await startFloor(one, {
      ours,
      dataDir: floorDir,
      databaseUrl,
      work: work.path,
      settings: { ...disk, ...(signing && { SIGNING: '1' }) },
    })
    measured.push(await compare(one, ours, floor, options))
    process.stderr.write(`${one.name} ${measured.at(-1)?.ratio.toFixed(2)}\n`)
  }
  return measured
}

interface FloorOptions {
  ours: Server
  dataDir: string
  databaseUrl: string | undefined
  work: string
  /** Its environment. */
  settings: Record<string, string>
}

function startFloor(one: Case, { ours, dataDir, databaseUrl, work, settings }: FloorOptions): Promise<Server> {
  const log = join(work, 'floor.log')
  switch (one.floor) {
    case 'bytes': {
      const list = join(work, 'paths')
      writeFileSync(list, one.requests.map(({ path }) => path).join('\n'))
      return startServer(join(floors, 'bytes.ts'), [ours.url, list], {}, log)
    }
    case 'sqlite':
    case 'single': {
      const commits = one.floor === 'single' ? 'single' : 'shared'
      return startServer(join(floors, 'sqlite.ts'), [join(dataDir, 'summit.db'), commits], settings, log)
    }
    case 'pg':
      return startServer(join(floors, 'postgres.ts'), [databaseUrl ?? '', `${maxReaders}`], settings, log)
  }
}

async function compare(one: Case, ours: Server, floor: Server, options: Load): Promise<Measured> {
  const { name, what, target, requests } = one
  const all = await inTurns({ server: ours, requests }, { server: floor, requests }, options)
  return {
    name,
    what,
    floor: one.floor,
    target,
    ours: medians(all.map((round) => round.ours)),
    theFloor: medians(all.map((round) => round.other)),
    ratio: median(all.map((round) => round.ours.rate / round.other.rate)),
  }
}
