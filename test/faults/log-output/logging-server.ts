import { expect } from 'vitest'
import { freePort } from '../../free-port.ts'
import { waitUntil } from '../../wait-until.ts'
import { launchServer, type ServerProcess } from '../server-process.ts'
import { sendPipelinedRequests } from './pipelined-requests.ts'

/** A normal shutdown takes half a second. */
export const stopDeadlineMs = 10_000

export const cleanExit = { code: 0, signal: null }

export const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false

export async function expectHealthy(url: string): Promise<void> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
  expect(response.status).toBe(200)
}

/** With a port chosen in advance, as the output of the server may be unreadable. */
export async function chooseSettings(workers: number) {
  const port = String(await freePort())
  const settings = { PORT: port, WORKERS: String(workers), LOG_LEVEL: 'info' }
  return { settings, url: `http://127.0.0.1:${port}` }
}

/** @param output file descriptor of its standard output */
export async function startWithOutput(dir: string, workers: number, output: number) {
  const { settings, url } = await chooseSettings(workers)
  const server = launchServer(dir, settings, { output })
  await waitUntil('the server is ready', () => isReady(url))
  return { ...server, url }
}

/** Stops a server, which must not take longer than {@link stopDeadlineMs}. */
export async function stop(server: ServerProcess) {
  let exit: unknown
  void server.kill('SIGTERM').then((value) => {
    exit = value
  })
  await waitUntil('the server has stopped', () => exit !== undefined, stopDeadlineMs)
  return exit
}

export async function countDroppedLines(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`)
  return Number(/^summit_log_lines_dropped_total (\d+)/m.exec(await response.text())?.[1])
}

/** Sends requests until more log lines are dropped. @returns the number of requests */
export async function fillLog(url: string): Promise<number> {
  const before = await countDroppedLines(url)
  let sent = await sendPipelinedRequests(url, 300)
  const isFull = async () => {
    if ((await countDroppedLines(url)) > before) return true
    sent += await sendPipelinedRequests(url, 50)
    return false
  }
  await waitUntil('lines are dropped', isFull)
  return sent
}
