import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTurns, median, medians } from '../figures.ts'
import { standardDataSet } from '../generate.ts'
import { loadDataSet } from '../load.ts'
import { markdown, whole } from '../report.ts'
import type { RunOptions } from '../run.ts'
import { program, startServer } from '../server.ts'
import { cases } from '../workload.ts'
import { forDirectus, type Installation, startDirectus } from './directus.ts'

const reads = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6']

/** What is measured with both set up alike: where one keeps its answers, so does the other. */
const setups = [
  {
    names: [...reads, 'M'],
    ours: {},
    theirs: { CACHE_ENABLED: 'true', CACHE_STORE: 'memory', CACHE_TTL: '1h', CACHE_AUTO_PURGE: 'true' },
  },
  { names: reads.map((name) => `${name} cold`), ours: { PAGE_CACHE_BYTES: '0' }, theirs: {} },
  { names: ['W1', 'W2', 'W3'], ours: {}, theirs: {} },
]

/** Seconds: a server that answers forty times a second has to be asked for a while before its code is compiled. */
const warmUp = 10

/** Measures the workload with Directus in turns with Summit. @returns a table in Markdown */
export async function peers(directus: Installation, { only, ...options }: Omit<RunOptions, 'databaseUrl'>) {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-bench-'))
  const rows: string[][] = []
  for (const [nth, { names, ours: settings, theirs: chosen }] of setups.entries()) {
    const measured = cases.filter(({ name }) => names.includes(name) && (only?.includes(name) ?? true))
    if (measured.length === 0) continue
    const dataDir = join(work.path, `${nth}-ours`)
    await loadDataSet(standardDataSet(), { DATA_DIR: dataDir })
    const place = { ...settings, DATA_DIR: dataDir, PORT: '0' }
    await using ours = await startServer(program, [], place, join(work.path, `${nth}-log`))
    await using theirs = await startDirectus(directus, join(work.path, `${nth}-directus`), chosen)
    for (const { name, what, requests } of measured) {
      const other = { server: theirs, requests: requests.map(forDirectus) }
      const rounds = await inTurns({ server: ours, requests }, other, { ...options, warmUp })
      const figures = [medians(rounds.map((round) => round.ours)), medians(rounds.map((round) => round.other))]
      const times = Number(median(rounds.map((round) => round.ours.rate / round.other.rate)).toPrecision(2))
      const cells = figures.flatMap(({ rate, p50, p99 }) => [whole(rate), p50.toFixed(1), p99.toFixed(1)])
      rows.push([name, what, ...cells, `${times}`])
      process.stderr.write(`${name} ${times}\n`)
    }
  }
  return markdown(
    ['case', 'what', 'Summit/s', 'p50 ms', 'p99 ms', 'Directus/s', 'p50 ms', 'p99 ms', 'times the rate'],
    rows,
  )
}
