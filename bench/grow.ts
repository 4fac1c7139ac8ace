import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDataSet } from './data-set.ts'
import { loadDataSet } from './load-data-set.ts'
import { markdownTable } from './report.ts'
import { standardSize } from './rows.ts'
import { startSummit } from './server.ts'
import type { Request } from './workload.ts'
import { runLoad } from './wrk.ts'

const connections = 10
const seconds = 3

/** The measured requests, by the title of their column. */
function growthRequests(topics: number): Record<string, Request[]> {
  const get = (path: string): Request[] => [{ method: 'GET', path: `/api/newsfeeds/topics/${path}` }]
  const body = JSON.stringify({ comment: 'On my way', created_by: 1 })
  return {
    'feed page': get('0/20'),
    'deep feed page': get(`${Math.floor(topics * 0.9)}/20`),
    'topic details': get(`${Math.floor(topics / 2)}/details`),
    comment: [{ method: 'POST', path: `/api/newsfeeds/topics/${Math.floor(topics / 3)}/comments/create`, body }],
  }
}

/**
 * Measures how latency, memory and disk usage grow with the number of topics. The response cache is off, so that every
 * read queries the database.
 * @param databaseUrl a PostgreSQL to measure on as well; its database is emptied
 * @returns a Markdown table
 */
export async function measureGrowth(sizes: number[], databaseUrl: string | undefined): Promise<string> {
  const engines = [{}, ...(databaseUrl === undefined ? [] : [{ DATABASE_URL: databaseUrl }])]
  const columns = [
    'topics',
    'database',
    'load s',
    'start ms',
    'memory MB',
    'disk MB',
    ...Object.keys(growthRequests(1)),
  ]
  const rows: string[][] = []
  for (const topics of sizes) {
    await using work = await mkdtempDisposable(join(tmpdir(), 'summit-grow-'))
    const dataSet = join(work.path, 'data-set')
    writeDataSet(dataSet, { ...standardSize, topics })
    for (const engineSettings of engines) {
      const settings = { ...engineSettings, DATA_DIR: join(work.path, 'data'), PORT: '0', PAGE_CACHE_BYTES: '0' }
      const startOfLoad = performance.now()
      await loadDataSet(dataSet, settings)
      const endOfLoad = performance.now()
      await using server = await startSummit(settings, join(work.path, 'log'))
      const endOfStart = performance.now()
      const latencies: string[] = []
      for (const requests of Object.values(growthRequests(topics))) {
        const before = server.cpuSeconds()
        const result = await runLoad(server, requests, connections, seconds)
        const cpu = ((server.cpuSeconds() - before) * 1e6) / result.requests
        latencies.push(`${result.p50.toFixed(1)} / ${result.p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs`)
      }
      const onPostgres = 'DATABASE_URL' in engineSettings
      rows.push([
        topics.toLocaleString('en'),
        onPostgres ? 'PostgreSQL' : 'SQLite',
        ((endOfLoad - startOfLoad) / 1000).toFixed(0),
        (endOfStart - endOfLoad).toFixed(0),
        (server.peakMemory() / 1e6).toFixed(0),
        onPostgres ? '' : (databaseSize(settings.DATA_DIR) / 1e6).toFixed(0),
        ...latencies,
      ])
      process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
      rmSync(settings.DATA_DIR, { recursive: true })
    }
  }
  return markdownTable(columns, rows)
}

const databaseSize = (dir: string): number =>
  readdirSync(dir)
    .filter((name) => name.startsWith('summit.db'))
    .reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
