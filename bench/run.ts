import { cpSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxReaders } from '../src/server/storage/db/postgres/open.ts'
import { standardDataSet } from './data-set.ts'
import { loadDataSet } from './load-data-set.ts'
import { type LoadOptions, type Measurement, measureAlternately, median, medianMeasurement } from './measure.ts'
import { type Server, startServer, startSummit } from './server.ts'
import { buildSlowSync } from './slow-sync.ts'
import { type BenchCase, cases, type Floor } from './workload.ts'

/** The result of one case, as `--save` writes it. */
export interface CaseResult {
  name: string
  description: string
  floor: Floor
  target: number
  candidate: Measurement
  /** The floor. */
  reference: Measurement
  /** Summit's rate divided by the floor's: the median over the rounds. */
  ratio: number
}

export interface RunOptions extends LoadOptions {
  /** Names of cases; undefined for all. */
  only: string[] | undefined
  /** A PostgreSQL to measure on as well; its database is emptied. */
  databaseUrl: string | undefined
  /** Whether floors with a database sign their responses as Summit does. */
  signing?: boolean | undefined
}

const floorsFolder = join(import.meta.dirname, 'floors')

/** Measures every case, alternating between Summit and its floor. */
export async function runCases({ only, databaseUrl, signing = false, ...options }: RunOptions): Promise<CaseResult[]> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-bench-'))
  const dataSet = standardDataSet()
  const loadedDir = join(work.path, 'loaded')
  await loadDataSet(dataSet, { DATA_DIR: loadedDir })
  const postgresSettings = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: join(work.path, 'server') }
  if (databaseUrl !== undefined) await loadDataSet(dataSet, postgresSettings)

  const results: CaseResult[] = []
  for (const benchCase of cases) {
    if (only && !only.includes(benchCase.name)) continue
    if (benchCase.onPostgres && databaseUrl === undefined) continue
    // Fresh copies, as earlier cases may have written.
    const summitDir = join(work.path, `${results.length}-summit`)
    const floorDir = join(work.path, `${results.length}-floor`)
    cpSync(loadedDir, summitDir, { recursive: true })
    cpSync(loadedDir, floorDir, { recursive: true })
    const slowSync = benchCase.slowDisk ? buildSlowSync(work.path) : {}
    const dataSettings = benchCase.onPostgres ? postgresSettings : { DATA_DIR: summitDir }
    const settings = { ...slowSync, ...dataSettings, PORT: '0', ...(benchCase.cold && { PAGE_CACHE_BYTES: '0' }) }
    await using summit = await startSummit(settings, join(work.path, 'summit.log'))
    await using floor = await startFloor(benchCase, {
      summit,
      dataDir: floorDir,
      databaseUrl,
      workFolder: work.path,
      environment: { ...slowSync, ...(signing && { SIGNING: '1' }) },
    })
    const result = await measureCase(benchCase, summit, floor, options)
    results.push(result)
    process.stderr.write(`${benchCase.name} ${result.ratio.toFixed(2)}\n`)
  }
  return results
}

interface FloorOptions {
  /** The running Summit; the floor `bytes` copies its responses. */
  summit: Server
  dataDir: string
  databaseUrl: string | undefined
  workFolder: string
  environment: Record<string, string>
}

function startFloor(
  benchCase: BenchCase,
  { summit, dataDir, databaseUrl, workFolder, environment }: FloorOptions,
): Promise<Server> {
  const log = join(workFolder, 'floor.log')
  switch (benchCase.floor) {
    case 'bytes': {
      const list = join(workFolder, 'paths')
      writeFileSync(list, benchCase.requests.map(({ path }) => path).join('\n'))
      return startServer(join(floorsFolder, 'bytes.ts'), [summit.url, list], {}, log)
    }
    case 'sqlite':
    case 'single': {
      const commits = benchCase.floor === 'single' ? 'single' : 'shared'
      return startServer(join(floorsFolder, 'sqlite.ts'), [join(dataDir, 'summit.db'), commits], environment, log)
    }
    case 'pg':
      return startServer(join(floorsFolder, 'postgres.ts'), [databaseUrl ?? '', `${maxReaders}`], environment, log)
  }
}

async function measureCase(
  benchCase: BenchCase,
  summit: Server,
  floor: Server,
  options: LoadOptions,
): Promise<CaseResult> {
  const { name, description, target, requests } = benchCase
  const rounds = await measureAlternately({ server: summit, requests }, { server: floor, requests }, options)
  return {
    name,
    description,
    floor: benchCase.floor,
    target,
    candidate: medianMeasurement(rounds.map((round) => round.candidate)),
    reference: medianMeasurement(rounds.map((round) => round.reference)),
    ratio: median(rounds.map((round) => round.candidate.rate / round.reference.rate)),
  }
}
