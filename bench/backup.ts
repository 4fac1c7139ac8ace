import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatInteger, markdownTable } from './report.ts'
import { startSummit } from './server.ts'

const writesPerSecond = 200
const sampleMs = 50

interface Writes {
  /** Latencies in milliseconds. */
  latencies: number[]
  failed: number
}

/** Writes comments at a constant rate, whether earlier ones have succeeded or not, until the signal is aborted. */
async function writeUntil(url: string, signal: AbortSignal): Promise<Writes> {
  const writes: Writes = { latencies: [], failed: 0 }
  const writing = new Set<Promise<void>>()
  const write = async () => {
    const start = performance.now()
    const body = JSON.stringify({ comment: 'On my way', created_by: 1 })
    const headers = { 'content-type': 'application/json' }
    const path = `/api/newsfeeds/topics/${1 + (writes.latencies.length % 1000)}/comments/create`
    // A connection that was idle may be closed just as it is used again; another client would retry.
    const text = await fetch(url + path, { method: 'POST', headers, body }).then(
      (response) => response.text(),
      () => '',
    )
    writes.latencies.push(performance.now() - start)
    if (!text.includes('"response_code":1000')) writes.failed++
  }
  const start = performance.now()
  for (let sent = 0; !signal.aborted; sent++) {
    const wait = start + (sent * 1000) / writesPerSecond - performance.now()
    if (wait > 1) await sleep(wait)
    const one = write().finally(() => writing.delete(one))
    writing.add(one)
  }
  await Promise.all(writing)
  return writes
}

/** The largest log of the database, and the peak memory of a process, sampled until the signal is aborted. */
async function watch(dataDir: string, pid: number, signal: AbortSignal): Promise<{ log: number; memory: number }> {
  const largest = { log: 0, memory: 0 }
  const log = join(dataDir, 'summit.db-wal')
  while (!signal.aborted) {
    if (existsSync(log)) largest.log = Math.max(largest.log, statSync(log).size)
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
    largest.memory = Math.max(largest.memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024)
    await sleep(sampleMs)
  }
  return largest
}

const worst = ({ latencies }: Writes): string => latencies.reduce((a, b) => Math.max(a, b), 0).toFixed(0)
const inSeconds = (ms: number): string => (ms / 1000).toFixed(0)
const p99 = ({ latencies }: Writes): string =>
  (latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0).toFixed(0)

/**
 * Measures how a backup delays writes to the summit in `dataDir`, of which it makes two: one to an empty place, and one
 * to a place that has the files already. Then it measures writes without a backup for as long as the second one took,
 * because the longer the measurement, the worse its worst write.
 * @param to a folder for the backups, emptied before and after
 * @returns a Markdown table
 */
export async function measureBackup(dataDir: string, to: string): Promise<string> {
  const rows: string[][] = []
  const add = (row: string[]) => {
    rows.push(row)
    process.stderr.write(`${row.join('  ')}\n`)
  }
  const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' }
  rmSync(to, { recursive: true, force: true })
  await using server = await startSummit(settings, join(dataDir, 'bench.log'))
  const megabytes = formatInteger(statSync(join(dataDir, 'summit.db')).size / 1e6)
  let durationMs = 0
  for (const name of ['first', 'second']) {
    const done = new AbortController()
    const start = performance.now()
    const child = spawn('nice', [process.execPath, 'src/cli/main.ts', 'backup', to], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: 'inherit',
    })
    const measuring = Promise.all([writeUntil(server.url, done.signal), watch(dataDir, child.pid ?? 0, done.signal)])
    const [code] = await once(child, 'close')
    durationMs = performance.now() - start
    done.abort()
    const [writes, largest] = await measuring
    if (code !== 0) throw new Error(`the backup failed with code ${code}`)
    add([
      ...[name, megabytes, inSeconds(durationMs), p99(writes), worst(writes), String(writes.failed)],
      ...[formatInteger(largest.log / 1e6), formatInteger(largest.memory / 1e6)],
    ])
  }
  const baseline = await writeUntil(server.url, AbortSignal.timeout(Math.ceil(durationMs)))
  add(['none', megabytes, inSeconds(durationMs), p99(baseline), worst(baseline), String(baseline.failed), '', ''])
  rmSync(to, { recursive: true })
  const columns = ['backup', 'database MB', 's', 'p99 ms', 'worst ms', 'failed', 'log MB', 'memory MB']
  return markdownTable(columns, rows)
}
