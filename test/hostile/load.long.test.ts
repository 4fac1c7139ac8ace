import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import { loads } from './loads.ts'

// Measures the effect of hostile clients on others: the response time of `/healthz`, memory, and the time to stop. The
// figures are printed. The bounds are generous, since other tests run at the same time.

const seconds = 10
const maxWaitMs = 10_000
const maxMemoryMb = 512
const maxStopMs = 27_000

/** Starts a program of this folder. @returns reads the JSON in the next line that it prints */
function start(program: string, ...args: (string | number)[]): () => Promise<Record<string, number>> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [path, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return async () => JSON.parse((await lines.next()).value ?? '{}')
}

/** Measures a process and its children, in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const childLists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''))
  const children = (await Promise.all(childLists)).join(' ').split(' ').filter(Boolean).map(Number)
  const childMb = await Promise.all(children.map(memoryOf))
  return childMb.reduce((sum, mb) => sum + mb, own)
}

async function peakMemory(server: ReadyServer, signal: AbortSignal): Promise<number> {
  let peak = 0
  while (!signal.aborted) {
    peak = Math.max(peak, await memoryOf(server.pid))
    await sleep(50)
  }
  return peak
}

const cases = Object.keys(loads).flatMap((load) => [[load, {}] as const, [load, { WORKERS: '2' }] as const])

test.each(cases)(
  '%s (%j): other clients are served, memory is bounded, and the server stops in time',
  async (load, settings) => {
    await using folder = await createDataFolder()
    await using server = await startServer(folder.dir, settings)
    const before = await memoryOf(server.pid)
    const { port } = new URL(server.url)
    const over = new AbortController()
    const measuring = peakMemory(server, over.signal)
    const sender = start('send-load.ts', port, load, seconds)
    // Somebody is connected.
    await sender()
    const { longestMs = Number.NaN, failed } = await start('probe-health.ts', port, seconds - 1)()
    const stopping = performance.now()
    const exit = await server.kill('SIGTERM')
    const stopMs = Math.round(performance.now() - stopping)
    over.abort()
    const grownMb = Math.round((await measuring) - before)
    const received = JSON.stringify(await sender())
    console.log(
      `${load} ${JSON.stringify(settings)}: /healthz took at most ${longestMs} ms, ${failed} failed; ` +
        `memory grew by ${grownMb} MB; stopped after ${stopMs} ms; the clients received ${received}`,
    )
    expect({ failed, exit }).toEqual({ failed: 0, exit: { code: 0, signal: null } })
    expect(server.stderr()).toBe('')
    expect(longestMs).toBeLessThan(loads[load]?.maxWaitMs ?? maxWaitMs)
    expect(grownMb).toBeLessThan(maxMemoryMb)
    expect(stopMs).toBeLessThan(maxStopMs)
  },
)
