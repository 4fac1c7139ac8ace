import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { benchCommand, thisCheckout } from './checkout.ts'
import { standardDataSet } from './data-set.ts'
import { measureAlternately, type Round } from './measure.ts'
import type { RunOptions } from './run.ts'
import { createScratchDatabase } from './scratch-database.ts'
import { type Server, startSummit } from './server.ts'
import { buildSlowSync } from './slow-sync.ts'
import { type BenchCase, cases } from './workload.ts'

/** One case, measured with a candidate and a reference. */
export interface Comparison {
  name: string
  description: string
  /** The maximum ratio of this checkout's processor time per request to the other's. */
  limit: number
  rounds: Round[]
}

/** Lower where a database takes most of the time, which hides regressions in the rest. */
export const cpuLimit = ({ cold, onPostgres }: BenchCase): number => (cold || onPostgres ? 1.05 : 1.1)

/**
 * Measures the cases, alternating between this checkout and another. Each loads the data with its own bench, so their
 * migrations may differ.
 */
export async function compareCheckouts(
  other: string,
  { only, databaseUrl, ...options }: RunOptions,
): Promise<Comparison[]> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-versus-'))
  await using stack = new AsyncDisposableStack()
  const selected = cases.filter(
    ({ name, onPostgres }) => (only?.includes(name) ?? true) && (!onPostgres || databaseUrl !== undefined),
  )
  const prepare = async (checkout: string, name: string): Promise<LoadedCheckout> => {
    const loaded: LoadedCheckout = { checkout, folder: join(work.path, name) }
    if (selected.some(({ onPostgres }) => !onPostgres)) await loadData(checkout, { DATA_DIR: loadedDir(loaded) })
    if (selected.some(({ onPostgres }) => onPostgres)) {
      const { url } = stack.use(await createScratchDatabase(databaseUrl ?? '', `versus_${name}`))
      loaded.postgresSettings = { DATABASE_URL: url, DATA_DIR: join(loaded.folder, 'server') }
      await loadData(checkout, loaded.postgresSettings)
    }
    return loaded
  }
  const candidate = await prepare(thisCheckout, 'this')
  const reference = await prepare(other, 'other')

  const comparisons: Comparison[] = []
  for (const benchCase of selected) {
    const { name, description, requests } = benchCase
    const slowSync = benchCase.slowDisk ? buildSlowSync(work.path) : {}
    await using candidateServer = await startServer(candidate, benchCase, slowSync)
    await using referenceServer = await startServer(reference, benchCase, slowSync)
    const rounds = await measureAlternately(
      { server: candidateServer, requests },
      { server: referenceServer, requests },
      options,
    )
    comparisons.push({ name, description, limit: cpuLimit(benchCase), rounds })
    process.stderr.write(`${name}\n`)
  }
  return comparisons
}

/** A checkout with the data set, loaded by its own bench. */
interface LoadedCheckout {
  checkout: string
  /** Contains `loaded`, the data directory that is copied for each case. */
  folder: string
  /** The settings to use the data set on PostgreSQL, if it was loaded there. */
  postgresSettings?: Record<string, string>
}

const loadedDir = ({ folder }: Pick<LoadedCheckout, 'folder'>): string => join(folder, 'loaded')

async function loadData(checkout: string, settings: Record<string, string>): Promise<void> {
  const [node, ...args] = benchCommand(checkout)
  const env = { PATH: process.env.PATH, ...settings }
  await promisify(execFile)(node, [...args, 'load', standardDataSet()], { env })
}

/** Starts on a fresh copy of the data, as earlier cases may have written; cases on PostgreSQL only read. */
function startServer(loaded: LoadedCheckout, benchCase: BenchCase, slowSync: Record<string, string>): Promise<Server> {
  const caseDir = join(loaded.folder, benchCase.name)
  if (!benchCase.onPostgres) cpSync(loadedDir(loaded), caseDir, { recursive: true })
  const dataSettings = benchCase.onPostgres ? loaded.postgresSettings : { DATA_DIR: caseDir }
  const settings = { ...slowSync, ...dataSettings, PORT: '0', ...(benchCase.cold && { PAGE_CACHE_BYTES: '0' }) }
  return startSummit(settings, join(loaded.folder, 'log'), loaded.checkout)
}
