import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverCommand, thisCheckout } from './checkout.ts'

/** A server under measurement, in its own process on the first core; killed when disposed (`await using`). */
export interface Server extends AsyncDisposable {
  url: string
  /** Headers that every request to it must have. */
  headers?: Record<string, string>
  /** Processor time used so far, in seconds. */
  cpuSeconds(): number
  /** Peak memory so far, in bytes. */
  peakMemory(): number
}

/** The kernel's clock ticks per second, in which it counts processor time (proc(5)); 100 on common Linux systems. */
const ticksPerSecond = 100

/** Starts the server of a checkout of Summit as its `npm start` does. See `startServer` for the parameters. */
export const startSummit = (environment: Record<string, string>, log: string, checkout = thisCheckout) =>
  start(serverCommand(checkout), environment, log)

/**
 * Starts a server and waits until it prints its address.
 * @param log the file that receives its standard output
 * @param node the Node executable that runs it
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
  // taskset replaces itself with the server, so the process id is the server's.
  const proc = `/proc/${child.pid}`
  return {
    url: await waitForAddress(log),
    cpuSeconds: () => {
      const fields = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    peakMemory: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))?.[1]) * 1024,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await closed
    },
  }
}

const startTimeoutMs = 20_000

async function waitForAddress(log: string): Promise<string> {
  const deadline = performance.now() + startTimeoutMs
  while (performance.now() < deadline) {
    const url = /(http:\/\/[\d.]+:\d+)/.exec(readFileSync(log, 'utf8'))?.[1]
    if (url) return url
    await sleep(10)
  }
  throw new Error(`the server did not start within ${startTimeoutMs / 1000} seconds: ${readFileSync(log, 'utf8')}`)
}
