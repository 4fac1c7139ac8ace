import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect } from 'vitest'
import { findProgram } from '../../find-program.ts'
import * as make from '../../make.ts'
import { waitUntil } from '../../wait-until.ts'
import { childrenOf, workersOf } from '../child-processes.ts'
import { createDataFolder } from '../create-data-folder.ts'
import { droppedCounts, parseLogLines } from './log-lines.ts'
import {
  chooseSettings,
  cleanExit,
  countDroppedLines,
  expectHealthy,
  fillLog,
  isReady,
  startWithOutput,
  stop,
  stopDeadlineMs,
} from './logging-server.ts'
import { NamedPipe } from './named-pipe.ts'
import { sendPipelinedRequests } from './pipelined-requests.ts'

/** Each function runs servers with an output that accepts nothing. They must serve requests and stop in time. */

const root = join(import.meta.dirname, '../../..')

/** script(1), which runs a command in a terminal of its own. */
export const script = findProgram('script')

export async function logToFullDisk(workers: number): Promise<void> {
  await using folder = await createDataFolder()
  const full = openSync('/dev/full', 'a')
  await using server = await startWithOutput(folder.dir, workers, full)
  closeSync(full)
  await fillLog(server.url)
  await expectHealthy(server.url)
  expect(await stop(server)).toEqual(cleanExit)
  expect(server.stderr()).toBe('')
}

export async function logToClosedPipe(workers: number): Promise<void> {
  await using folder = await createDataFolder()
  using pipe = new NamedPipe()
  await using server = await startWithOutput(folder.dir, workers, pipe.writer)
  pipe.closeReader()
  await fillLog(server.url)
  await expectHealthy(server.url)
  expect(await stop(server)).toEqual(cleanExit)
  expect(server.stderr()).toBe('')
}

/** Once the pipe is read again, the log accounts for every line. */
export async function logToUnreadPipe(workers: number): Promise<void> {
  await using folder = await createDataFolder()
  using pipe = new NamedPipe()
  await using server = await startWithOutput(folder.dir, workers, pipe.writer)
  const sent = await fillLog(server.url)
  await expectHealthy(server.url)
  const dropped = await countDroppedLines(server.url)

  let text = ''
  let reports: number[] = []
  let accounted = 0
  const isComplete = () => {
    const more = pipe.read()
    text += more
    if (more !== '' || !text.endsWith('\n')) return false
    const lines = parseLogLines(text)
    reports = droppedCounts(lines)
    const written = lines.filter(({ path }) => path?.startsWith('/nowhere')).length
    accounted = written + sum(reports)
    return accounted >= sent && sum(reports) >= dropped
  }
  await waitUntil('the log reports the dropped lines', isComplete)
  // One for each process that has dropped lines.
  expect(reports.length).toBeLessThanOrEqual(workers)
  // Lines for `/metrics` and `/healthz` may have been dropped as well.
  expect(accounted - sent).toBeLessThan(50)

  await fillLog(server.url)
  expect(await stop(server)).toEqual(cleanExit)
  expect(server.stderr()).toBe('')
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

/** A socket is what Node gives its child processes, and systemd its services. */
export async function logToUnreadSocket(workers: number): Promise<void> {
  await using folder = await createDataFolder()
  const { settings, url } = await chooseSettings(workers)
  const server = spawnWithSocket(settings, folder.dir)
  await using _ = server
  await readWelcome(server.child.stdout)
  await fillLog(url)
  if (workers > 1) await replaceWorker(server.child)
  await waitUntil('requests get responses', async () => (await sendPipelinedRequests(url, 100)) > 0)
  await expectHealthy(url)
  server.child.kill('SIGTERM')
  await waitUntil('the server has stopped', () => server.child.exitCode !== null, stopDeadlineMs)
  expect(server.child.exitCode).toBe(0)
}

/** Ctrl-S stops the terminal, Ctrl-Q continues it. */
export async function logToStoppedTerminal(workers: number): Promise<void> {
  await using folder = await createDataFolder()
  const { settings, url } = await chooseSettings(workers)
  const command = `exec "${process.execPath}" --import ./scripts/require-node.mjs src/server/main.ts --empty`
  const terminal = spawn(script ?? '', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: folder.dir, ...settings },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  using processes = new DisposableStack()
  processes.defer(() => terminal.kill('SIGKILL'))
  let output = ''
  terminal.stdout.setEncoding('latin1').on('data', (text: string) => {
    output += text
  })
  await waitUntil('the server is ready', () => isReady(url))
  const server = make.only(await childrenOf(Number(terminal.pid)))
  processes.defer(() => {
    if (terminal.exitCode === null) process.kill(server, 'SIGKILL')
  })

  terminal.stdin.write(ctrlS)
  await fillLog(url)
  await expectHealthy(url)
  terminal.stdin.write(ctrlQ)
  await waitUntil('the log reports the dropped lines', () => output.includes('"dropped":'))

  terminal.stdin.write(ctrlS)
  await fillLog(url)
  process.kill(server, 'SIGTERM')
  await waitUntil('the server has stopped', () => terminal.exitCode !== null, stopDeadlineMs)
  expect(terminal.exitCode).toBe(0)
}

const ctrlS = '\x13'
const ctrlQ = '\x11'

/** Forking a process makes standard output blocking again in all of them (libuv). */
async function replaceWorker({ pid }: ChildProcess): Promise<void> {
  const server = { pid: Number(pid) }
  const before = await workersOf(server)
  process.kill(before[0], 'SIGKILL')
  const isReplaced = async () => (await workersOf(server)).some((worker) => !before.includes(worker))
  await waitUntil('the worker has been replaced', isReplaced)
}

/** Reads no further than the text that is written once every worker listens: another may be killed then. */
async function readWelcome(output: Readable): Promise<void> {
  let text = ''
  for await (const bytes of output.iterator({ destroyOnReturn: false })) {
    text += bytes
    if (/^ {2}docs {4}http/m.test(text)) return
  }
  throw new Error(`the server ended: ${text}`)
}

function spawnWithSocket(settings: Record<string, string>, dir: string) {
  const child = spawn(process.execPath, ['--import', './scripts/require-node.mjs', 'src/server/main.ts', '--empty'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dir, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    child,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}
