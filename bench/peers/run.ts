import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTurns, median, medians } from '../figures.ts'
import { standardDataSet } from '../generate.ts'
import { loadDataSet } from '../load.ts'
import { markdown, whole } from '../report.ts'
import { program, type RunOptions } from '../run.ts'
import { startServer } from '../server.ts'
import { cases } from '../workload.ts'
import { forDirectus, type Installation, startDirectus } from './directus.ts'

/** What another product can be asked for as well: the reads as it comes, the writes and the mix, in a folder. */
const names = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'W1', 'W2', 'W3', 'M']

/** Measures the workload with Directus in turns with Summit. @returns a table in Markdown */
export async function peers(directus: Installation, { only, ...options }: Omit<RunOptions, 'databaseUrl'>) {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-bench-'))
  const dataDir = join(work.path, 'ours')
  await loadDataSet(standardDataSet(), { DATA_DIR: dataDir })
  await using ours = await startServer(program, [], { DATA_DIR: dataDir, PORT: '0' }, join(work.path, 'ours.log'))
  await using theirs = await startDirectus(directus, join(work.path, 'directus'))
  const rows: string[][] = []
  for (const { name, what, requests } of cases) {
    if (!(only ?? names).includes(name)) continue
    const rounds = await inTurns(
      { server: ours, requests },
      { server: theirs, requests: requests.map(forDirectus) },
      options,
    )
    const [a, b] = [medians(rounds.map((round) => round.ours)), medians(rounds.map((round) => round.other))]
    const times = median(rounds.map((round) => round.ours.rate / round.other.rate))
    const figures = [a, b].flatMap(({ rate, p50, p99, cpu }) => [
      whole(rate),
      p50.toFixed(2),
      p99.toFixed(2),
      whole(cpu),
    ])
    rows.push([name, what, ...figures, whole(times)])
    process.stderr.write(`${name} ${times.toFixed(1)}\n`)
  }
  return markdown(
    ['case', 'what', 'Summit/s', 'p50 ms', 'p99 ms', 'CPU µs', 'Directus/s', 'p50 ms', 'p99 ms', 'CPU µs', 'times'],
    rows,
  )
}
