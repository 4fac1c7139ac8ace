import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standardDataSet } from '../data-set.ts'
import { loadDataSet } from '../load-data-set.ts'
import { measureAlternately, median, medianMeasurement } from '../measure.ts'
import { formatInteger, markdownTable } from '../report.ts'
import type { RunOptions } from '../run.ts'
import { startSummit } from '../server.ts'
import { cases } from '../workload.ts'
import { parseOperation } from './operation.ts'
import type { Peer } from './peer.ts'
import { assertSameTexts } from './same-texts.ts'

const readCases = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6']

/** Cases that share a pair of servers. */
interface Setup {
  caseNames: string[]
  /** Whether the other product caches its responses, if it can. */
  peerCaches: boolean
  summitSettings: Record<string, string>
}

const setups: Setup[] = [
  { caseNames: [...readCases, 'M'], peerCaches: true, summitSettings: {} },
  {
    caseNames: readCases.map((name) => `${name} cold`),
    peerCaches: false,
    summitSettings: { PAGE_CACHE_BYTES: '0' },
  },
  { caseNames: ['W1', 'W2', 'W3'], peerCaches: false, summitSettings: {} },
]

/** Seconds. A server that handles only forty requests per second needs longer until its code is compiled. */
const warmUp = 10

/** Measures the workload alternately with each product and Summit. @returns a Markdown table for each product */
export async function comparePeers(peers: Peer[], options: Omit<RunOptions, 'databaseUrl'>): Promise<string> {
  const tables: string[] = []
  for (const peer of peers) tables.push(await comparePeer(peer, options))
  return tables.join('\n\n')
}

async function comparePeer(peer: Peer, { only, ...options }: Omit<RunOptions, 'databaseUrl'>): Promise<string> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-bench-'))
  const rows: string[][] = []
  for (const [index, { caseNames, peerCaches, summitSettings }] of setups.entries()) {
    const selected = cases.filter(({ name }) => caseNames.includes(name) && (only?.includes(name) ?? true))
    if (selected.length === 0) continue
    const dataSettings = { ...peer.summitSettings, DATA_DIR: join(work.path, `${index}-summit`) }
    await loadDataSet(standardDataSet(), dataSettings)
    const environment = { ...summitSettings, ...dataSettings, PORT: '0' }
    await using summit = await startSummit(environment, join(work.path, `${index}-log`))
    const peerFolder = join(work.path, `${index}-peer`)
    await using peerServer = await peer.start(peerFolder, peerCaches ? peer.cacheSettings : {})
    // Before all measurements, in which the faster server receives more writes.
    for (const { requests } of selected) await assertSameTexts(requests, summit, peer, peerServer)
    for (const { name, description, requests } of selected) {
      const peerRequests = requests.map((request) => peer.toRequest(parseOperation(request)))
      const rounds = await measureAlternately(
        { server: summit, requests },
        { server: peerServer, requests: peerRequests },
        { ...options, warmUp },
      )
      const medians = [
        medianMeasurement(rounds.map((round) => round.candidate)),
        medianMeasurement(rounds.map((round) => round.reference)),
      ]
      const ratio = median(rounds.map((round) => round.candidate.rate / round.reference.rate))
      const roundedRatio = Number(ratio.toPrecision(2))
      const cells = medians.flatMap(({ rate, p50, p99 }) => [formatInteger(rate), p50.toFixed(1), p99.toFixed(1)])
      rows.push([name, description, ...cells, `${roundedRatio}`])
      process.stderr.write(`${peer.name} ${name} ${roundedRatio}\n`)
    }
  }
  const columns = [
    ...['case', 'operation'],
    ...['Summit requests/s', 'p50 ms', 'p99 ms'],
    ...[`${peer.name} requests/s`, 'p50 ms', 'p99 ms', 'ratio'],
  ]
  return markdownTable(columns, rows)
}
