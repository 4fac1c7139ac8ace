import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Server } from './server.ts'
import type { Request } from './workload.ts'

/** What a client saw during some seconds. */
export interface Seen {
  requests: number
  /** Requests a second. */
  rate: number
  /** Milliseconds within which half of the answers came. */
  p50: number
  p99: number
}

const run = promisify(execFile)
const script = join(import.meta.dirname, 'requests.lua')

/** Seconds that all connections wait before their first request. */
const acceptedAfter = 1

/**
 * Sends requests over some connections, each of which waits for its answer before it sends the next, from the second
 * core, while servers have the first.
 * @throws Error when wrk is not installed, or any request failed
 */
export async function load(
  { url, headers = {} }: Pick<Server, 'url' | 'headers'>,
  requests: Request[],
  connections: number,
  seconds: number,
): Promise<Seen> {
  const file = join(tmpdir(), `summit-bench-requests-${process.pid}`)
  await writeFile(file, requests.map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`).join(''))
  const options = ['-t1', `-c${connections}`, `-d${acceptedAfter + seconds}s`, '--timeout', '60s', '-s', script]
  const heads = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('taskset', ['-c', '1', 'wrk', ...options, ...heads, url], {
    env: { ...process.env, REQUESTS: file, CONNECTIONS: `${connections}`, ACCEPTED: `${acceptedAfter * 1000}` },
  }).catch((cause) => {
    throw new Error('wrk is the client of these measurements; on Debian: apt-get install wrk', { cause })
  })
  const line = stdout.split('\n').find((line) => line.startsWith('{'))
  const seen = JSON.parse(line ?? '{}')
  if (seen.failed !== 0) throw new Error(`${seen.failed} requests failed: ${stdout}`)
  const { requests: count, microseconds, p50, p99 } = seen
  return { requests: count, rate: count / (microseconds / 1e6 - acceptedAfter), p50: p50 / 1000, p99: p99 / 1000 }
}
