import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Server } from './server.ts'
import type { Request } from './workload.ts'

/** The statistics of one load run. */
export interface LoadResult {
  /** Completed requests. */
  requests: number
  /** Requests per second. */
  rate: number
  /** Latency in milliseconds. */
  p50: number
  p99: number
}

const run = promisify(execFile)
const script = join(import.meta.dirname, 'requests.lua')

/** Seconds that each connection waits before its first request; requests.lua says why. */
const acceptSeconds = 1

/**
 * Sends the requests in a loop with wrk. Each connection has one request in progress at a time. The client runs on the
 * second core, since servers run on the first.
 * @throws Error if wrk is not installed or any request failed
 */
export async function runLoad(
  { url, headers = {} }: Pick<Server, 'url' | 'headers'>,
  requests: Request[],
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const file = join(tmpdir(), `summit-bench-requests-${process.pid}`)
  await writeFile(file, requests.map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`).join(''))
  const options = ['-t1', `-c${connections}`, `-d${acceptSeconds + seconds}s`, '--timeout', '60s', '-s', script]
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('taskset', ['-c', '1', 'wrk', ...options, ...headerOptions, url], {
    env: { ...process.env, REQUESTS: file, CONNECTIONS: `${connections}`, ACCEPT_MS: `${acceptSeconds * 1000}` },
  }).catch((cause) => {
    throw new Error('could not run wrk, which the bench requires; on Debian: apt-get install wrk', { cause })
  })
  const line = stdout.split('\n').find((line) => line.startsWith('{'))
  const result = JSON.parse(line ?? '{}')
  if (result.failed !== 0) throw new Error(`${result.failed} requests failed: ${stdout}`)
  const { requests: count, microseconds, p50, p99 } = result
  return { requests: count, rate: count / (microseconds / 1e6 - acceptSeconds), p50: p50 / 1000, p99: p99 / 1000 }
}
