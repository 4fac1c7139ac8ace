import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './client.ts'
import { standardSize } from './data.ts'
import { writeDataSet } from './generate.ts'
import { loadDataSet } from './load.ts'
import { markdown } from './report.ts'
import { startSummit } from './server.ts'
import type { Request } from './workload.ts'

const connections = 10
const seconds = 3

/** What each size is asked, with pages not kept, so that every answer costs its queries. */
function requestsOf(topics: number): Record<string, Request[]> {
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
 * Measures how a summit's latency, memory and disk grow with its topics, each with 3 comments, 1 in 5 with a file and 2
 * likes. In a folder, and with `DATABASE_URL` on that server as well, whose database is emptied for it.
 * @returns a table in Markdown
 */
export async function grow(sizes: number[], databaseUrl: string | undefined): Promise<string> {
  const places = [{}, ...(databaseUrl === undefined ? [] : [{ DATABASE_URL: databaseUrl }])]
  const columns = ['topics', 'database', 'loaded s', 'start ms', 'MB', 'on disk MB', ...Object.keys(requestsOf(1))]
  const rows: string[][] = []
  for (const topics of sizes) {
    await using work = await mkdtempDisposable(join(tmpdir(), 'summit-grow-'))
    const dataSet = join(work.path, 'data-set')
    writeDataSet(dataSet, { ...standardSize, topics })
    for (const place of places) {
      const settings = { ...place, DATA_DIR: join(work.path, 'data'), PORT: '0', PAGE_CACHE_BYTES: '0' }
      const begun = performance.now()
      await loadDataSet(dataSet, settings)
      const loaded = performance.now()
      await using server = await startSummit(settings, join(work.path, 'log'))
      const started = performance.now()
      const latencies: string[] = []
      for (const requests of Object.values(requestsOf(topics))) {
        const before = server.cpuSeconds()
        const seen = await load(server, requests, connections, seconds)
        const cpu = ((server.cpuSeconds() - before) * 1e6) / seen.requests
        latencies.push(`${seen.p50.toFixed(1)} / ${seen.p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs`)
      }
      const isServer = 'DATABASE_URL' in place
      rows.push([
        topics.toLocaleString('en'),
        isServer ? 'server' : 'folder',
        ((loaded - begun) / 1000).toFixed(0),
        (started - loaded).toFixed(0),
        (server.peakMemory() / 1e6).toFixed(0),
        isServer ? '' : (sizeOf(settings.DATA_DIR) / 1e6).toFixed(0),
        ...latencies,
      ])
      process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
      rmSync(settings.DATA_DIR, { recursive: true })
    }
  }
  return markdown(columns, rows)
}

const sizeOf = (dir: string): number =>
  readdirSync(dir)
    .filter((name) => name.startsWith('summit.db'))
    .reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
