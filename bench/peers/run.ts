import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTurns, median, medians } from '../figures.ts'
import { standardDataSet } from '../generate.ts'
import { loadDataSet } from '../load.ts'
import { markdown, whole } from '../report.ts'
import type { RunOptions } from '../run.ts'
import { startSummit } from '../server.ts'
import { cases } from '../workload.ts'
import { asked } from './asked.ts'
import type { Peer } from './peer.ts'
import { requireSameTexts } from './same-texts.ts'

const reads = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6']

/** What is measured together: both keep their answers where they can, or neither does. */
const setups = [
  { names: [...reads, 'M'], keeping: true, ours: {} },
  { names: reads.map((name) => `${name} cold`), keeping: false, ours: { PAGE_CACHE_BYTES: '0' } },
  { names: ['W1', 'W2', 'W3'], keeping: false, ours: {} },
]

/** Seconds: a server that answers forty times a second has to be asked for a while before its code is compiled. */
const warmUp = 10

/** Measures the workload with each of the others in turns with Summit. @returns a table in Markdown for each */
export async function peers(others: Peer[], options: Omit<RunOptions, 'databaseUrl'>): Promise<string> {
  const tables: string[] = []
  for (const other of others) tables.push(await peer(other, options))
  return tables.join('\n\n')
}

async function peer(other: Peer, { only, ...options }: Omit<RunOptions, 'databaseUrl'>): Promise<string> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-bench-'))
  const rows: string[][] = []
  for (const [nth, { names, keeping, ours: settings }] of setups.entries()) {
    const measured = cases.filter(({ name }) => names.includes(name) && (only?.includes(name) ?? true))
    if (measured.length === 0) continue
    const place = { ...other.engine, DATA_DIR: join(work.path, `${nth}-ours`) }
    await loadDataSet(standardDataSet(), place)
    const environment = { ...settings, ...place, PORT: '0' }
    await using ours = await startSummit(environment, join(work.path, `${nth}-log`))
    await using theirs = await other.start(join(work.path, `${nth}-theirs`), keeping ? other.keeping : {})
    // Before anything is measured: the faster of the two has more written to it.
    for (const { requests } of measured) await requireSameTexts(requests, ours, other, theirs)
    for (const { name, what, requests } of measured) {
      const side = { server: theirs, requests: requests.map((request) => other.requestFor(asked(request))) }
      const rounds = await inTurns({ server: ours, requests }, side, { ...options, warmUp })
      const figures = [medians(rounds.map((round) => round.ours)), medians(rounds.map((round) => round.other))]
      const times = Number(median(rounds.map((round) => round.ours.rate / round.other.rate)).toPrecision(2))
      const cells = figures.flatMap(({ rate, p50, p99 }) => [whole(rate), p50.toFixed(1), p99.toFixed(1)])
      rows.push([name, what, ...cells, `${times}`])
      process.stderr.write(`${other.name} ${name} ${times}\n`)
    }
  }
  return markdown(
    ['case', 'what', 'Summit/s', 'p50 ms', 'p99 ms', `${other.name}/s`, 'p50 ms', 'p99 ms', 'times the rate'],
    rows,
  )
}
