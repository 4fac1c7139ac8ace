import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverOf, thisCheckout } from './checkout.ts'

/** A server under measurement, in a process of its own on the first core; killed when done (`await using`). */
export interface Server extends AsyncDisposable {
  url: string
  /** What each request to it has to have. */
  headers?: Record<string, string>
  /** Seconds of processor time that it has taken so far. */
  cpuSeconds(): number
  /** The most memory that it has had, in bytes. */
  peakMemory(): number
}

/** Clock ticks a second, in which the kernel counts processor time (proc(5)); 100 on every Linux that we know. */
const ticks = 100

/** Starts the server of a checkout of Summit as its `npm start` does; the rest is as `startServer` has it. */
export const startSummit = (environment: Record<string, string>, log: string, checkout = thisCheckout) =>
  start(serverOf(checkout), environment, log)

/**
 * Starts a server and waits for the address that it prints.
 * @param log the file that takes what it prints, as a service's log does
 * @param node what runs it
 */
export const startServer = (
  script: string,
  args: string[],
  environment: Record<string, string>,
  log: string,
  node = process.execPath,
): Promise<Server> => start([node, script, ...args], environment, log)

async function start(command: string[], environment: Record<string, string>, log: string): Promise<Server> {
  const output = openSync(log, 'w')
  const child = spawn('taskset', ['-c', '0', ...command], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', output, 'inherit'],
  })
  closeSync(output)
  // taskset becomes the server, with its own process id.
  const proc = `/proc/${child.pid}`
  return {
    url: await printedAddress(log),
    cpuSeconds: () => {
      const fields = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / ticks
    },
    peakMemory: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) * 1024,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await closed
    },
  }
}

const startDeadlineMs = 20_000

async function printedAddress(log: string): Promise<string> {
  const deadline = performance.now() + startDeadlineMs
  while (performance.now() < deadline) {
    const url = /(http:\/\/[\d.]+:\d+)/.exec(readFileSync(log, 'utf8'))?.[1]
    if (url) return url
    await sleep(10)
  }
  throw new Error(`the server did not start: ${readFileSync(log, 'utf8')}`)
}
