import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { installed } from '../installed.ts'
import { isLong } from '../long.ts'
import { NamedPipe } from './named-pipe.ts'
import { sendPipelinedRequests } from './pipelined-requests.ts'
import { launch, type ServerProcess } from './server-process.ts'
import { noSmallDisk, SmallDisk } from './small-disk.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

/** Stopping takes half a second by itself; without an end to it, this would be for ever. */
const stopMs = 10_000
const cleanly = { code: 0, signal: null }
const root = join(import.meta.dirname, '../..')
const terminal = installed('script')

const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.ok ?? false

async function expectHealthy(url: string): Promise<void> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
  expect(response.status).toBe(200)
}

const settingsOf = async (workers: number) => {
  const port = String(await freePort())
  const settings = { PORT: port, WORKERS: String(workers), LOG_LEVEL: 'info' }
  return { settings, url: `http://127.0.0.1:${port}` }
}

async function start(dir: string, workers: number, output: number | 'pipe') {
  const { settings, url } = await settingsOf(workers)
  const server = launch(dir, settings, { output })
  await until('it is ready', () => isReady(url), 15_000)
  return { ...server, url }
}

async function stop(server: ServerProcess, signal: NodeJS.Signals = 'SIGTERM') {
  let exit: unknown
  void server.kill(signal).then((value) => {
    exit = value
  })
  await until('it has stopped', () => exit !== undefined, stopMs)
  return exit
}

async function droppedLines(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) })
  return Number(/^summit_log_lines_dropped_total (\d+)/m.exec(await response.text())?.[1])
}

/** Sends requests until lines are dropped that were not before. @returns how many it sent */
async function fillLog(url: string): Promise<number> {
  const before = await droppedLines(url)
  let sent = await sendPipelinedRequests(url, 400)
  const full = async () => {
    if ((await droppedLines(url)) > before) return true
    sent += await sendPipelinedRequests(url, 400)
    return false
  }
  await until('lines are dropped', full, 20_000)
  return sent
}

interface Line {
  msg: string
  path?: string
  dropped?: number
}

/** The lines but those of the welcome, which are plain text. @throws SyntaxError for one that is cut or mixed up */
const parseLines = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => !/^(Summit is running at| {2}\w|$)/.test(line))
    .map((line) => JSON.parse(line))

const dropped = (lines: Line[]): number[] => lines.flatMap((line) => line.dropped ?? [])
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

describe.each([1, 2])('WORKERS=%i', { timeout: 60_000 }, (workers) => {
  // Two workers share standard output: the rest of what there is to it is for the long run.
  const isQuick = workers === 1 || isLong

  test.runIf(isQuick)('a log on a full disk costs lines and nothing else', async () => {
    await using folder = await temporaryFolder()
    const full = openSync('/dev/full', 'a')
    await using server = await start(folder.dir, workers, full)
    closeSync(full)
    await fillLog(server.url)
    await expectHealthy(server.url)
    expect(await stop(server)).toEqual(cleanly)
    expect(server.stderr()).toBe('')
  })

  test.runIf(isQuick)('a pipe whose reader has ended costs lines and nothing else', async () => {
    await using folder = await temporaryFolder()
    using pipe = new NamedPipe()
    await using server = await start(folder.dir, workers, pipe.writer)
    pipe.closeReader()
    await fillLog(server.url)
    await expectHealthy(server.url)
    expect(await stop(server)).toEqual(cleanly)
    expect(server.stderr()).toBe('')
  })

  test('a pipe that nobody reads costs lines, which the log counts once it is read again, and nothing else', async () => {
    await using folder = await temporaryFolder()
    using pipe = new NamedPipe()
    await using server = await start(folder.dir, workers, pipe.writer)
    const sent = await fillLog(server.url)
    await expectHealthy(server.url)
    const lost = await droppedLines(server.url)

    let text = ''
    let lines: Line[] = []
    let accounted = 0
    const isRecovered = () => {
      const more = pipe.read()
      text += more
      if (more !== '' || !text.endsWith('\n')) return false
      lines = parseLines(text)
      const written = lines.filter(({ path }) => path?.startsWith('/nowhere')).length
      accounted = written + sum(dropped(lines))
      return accounted >= sent && sum(dropped(lines)) >= lost
    }
    await until('the log says how many lines are lost', isRecovered, 20_000)
    // Once for each process that has dropped some.
    expect(dropped(lines).length).toBeLessThanOrEqual(workers)
    // Lines for `/metrics` and `/healthz` may have been dropped as well.
    expect(accounted - sent).toBeLessThan(50)

    await fillLog(server.url)
    expect(await stop(server)).toEqual(cleanly)
    expect(server.stderr()).toBe('')
  })

  test.runIf(workers === 2 || isLong)('a socket that nobody reads costs lines and nothing else', async () => {
    await using folder = await temporaryFolder()
    const { settings, url } = await settingsOf(workers)
    // Node hands a socket to a process where others hand a pipe, as systemd does for its journal.
    const server = spawnUnread(settings, folder.dir)
    await using _ = server
    await until('it is ready', () => isReady(url), 15_000)
    await fillLog(url)
    if (workers > 1) await replaceWorker(server.child)
    await until(
      'lines are dropped and requests answered',
      async () => (await sendPipelinedRequests(url, 100)) > 0,
      5_000,
    )
    await expectHealthy(url)
    server.child.kill('SIGTERM')
    await until('it has stopped', () => server.child.exitCode !== null, stopMs)
    expect(server.child.exitCode).toBe(0)
  })

  test.runIf(terminal && isQuick)('a terminal that is stopped with Ctrl-S costs lines and nothing else', async () => {
    await using folder = await temporaryFolder()
    const { settings, url } = await settingsOf(workers)
    const command = `exec "${process.execPath}" --import ./scripts/require-node.mjs src/server/main.ts --empty`
    const window = spawn(terminal ?? '', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
      cwd: root,
      env: { PATH: process.env.PATH, DATA_DIR: folder.dir, ...settings },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    using processes = new DisposableStack()
    processes.defer(() => window.kill('SIGKILL'))
    let shown = ''
    window.stdout.setEncoding('latin1').on('data', (text: string) => {
      shown += text
    })
    await until('it is ready', () => isReady(url), 15_000)
    const [server = 0] = await childrenOf(window.pid)
    processes.defer(() => {
      if (window.exitCode === null) process.kill(server, 'SIGKILL')
    })

    window.stdin.write('\x13')
    await fillLog(url)
    await expectHealthy(url)
    window.stdin.write('\x11')
    await until('it says how many lines are lost', () => shown.includes('"dropped":'), 5_000)

    window.stdin.write('\x13')
    await fillLog(url)
    process.kill(server, 'SIGTERM')
    await until('it has stopped', () => window.exitCode !== null, stopMs)
    expect(window.exitCode).toBe(0)
  })
})

test.skipIf(noSmallDisk)('a log file on a disk that was full goes on with whole lines', async () => {
  await using folder = await temporaryFolder()
  using disk = new SmallDisk()
  const path = join(disk.dir, 'log')
  const file = openSync(path, 'a')
  await using server = await start(folder.dir, 1, file)
  closeSync(file)
  disk.fillUp()
  await fillLog(server.url)
  disk.giveSpace()
  const isSaid = () => readFileSync(path, 'latin1').includes('"dropped":')
  await until('the log says how many lines are lost', isSaid, 5_000)
  expect(await stop(server)).toEqual(cleanly)
  const lines = parseLines(readFileSync(path, 'latin1'))
  expect(dropped(lines)).toHaveLength(1)
  expect(lines.at(-1)?.msg).toBe('stopping')
  rmSync(path)
})

const childrenOf = async (pid = 0): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number)

/** A process that is forked makes the standard output of all of them block again (libuv). */
async function replaceWorker({ pid }: ChildProcess): Promise<void> {
  const before = await childrenOf(pid)
  process.kill(before[0] ?? 0, 'SIGKILL')
  const isReplaced = async () => {
    const after = await childrenOf(pid)
    return after.length === before.length && after.some((child) => !before.includes(child))
  }
  await until('another worker takes its place', isReplaced, 5_000)
}

function spawnUnread(settings: Record<string, string>, dir: string) {
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
