import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { type Client, createClient } from '../../src/client/client.ts'
import { waitUntil } from '../wait-until.ts'

/** The arguments of Node in `npm start` (`exec node …`), with absolute paths. */
const sources = packageJson.scripts.start
  .split(' ')
  .slice(2)
  .map((word) => (word.includes('/') ? fileURLToPath(new URL(`../../${word}`, import.meta.url)) : word))

/** How a process exited. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The program in a process of its own, which is killed when the test ends (`await using`). */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number
  /** Resolves after its exit, once all its output has been read. */
  readonly exited: Promise<Exit>
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends the signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<Exit>
}

/** A server to send requests to. */
export interface Target {
  readonly url: string
  readonly client: Client
}

/** A server whose `/readyz` has reported that it is ready. */
export interface ReadyServer extends ServerProcess, Target {
  /** Time from its start until it was ready. */
  readonly readyMs: number
}

interface LaunchOptions {
  /** Options of the command line. */
  options?: string[]
  /** Path of the Node executable. */
  node?: string | undefined
  /** The arguments of Node that start the program. */
  program?: string[]
  /** Standard output: collected in `stdout`, or a file descriptor. */
  output?: 'pipe' | number
}

/** Tests write faster than people do. */
const unlimited = { WRITES_PER_MINUTE: '0' }

/** @param settings environment variables besides those that are always set; others are not inherited */
export function launchServer(
  dataDir: string,
  settings: Record<string, string> = {},
  { options = ['--empty'], node = process.execPath, program = sources, output = 'pipe' }: LaunchOptions = {},
): ServerProcess {
  const child = spawn(node, [...program, ...options], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', ...unlimited, ...settings },
    stdio: ['ignore', output, 'pipe'],
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const exited = exitOf(child)
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    pid: Number(child.pid),
    exited,
    stdout,
    stderr,
    kill,
    [Symbol.asyncDispose]: async () => void (await kill('SIGKILL')),
  }
}

/** Starts the program and waits until it is ready. @throws Error with its output if it exits or takes too long */
export async function startServer(
  dataDir: string,
  settings: Record<string, string> = {},
  node?: string,
): Promise<ReadyServer> {
  const server = launchServer(dataDir, settings, { node })
  let exit: Exit | undefined
  void server.exited.then((value) => {
    exit = value
  })
  let url = ''
  const isUp = async () => {
    if (exit) throw new Error(`it exited: ${JSON.stringify(exit)}`)
    url = /^ {2}docs {4}(http:\S+)\/docs$/m.exec(server.stdout())?.[1] ?? ''
    return url !== '' && isReady(url)
  }
  try {
    const readyMs = await waitUntil('the server is ready', isUp)
    return { ...server, url, client: createClient(url, { fetch: boundedFetch }), readyMs }
  } catch (cause) {
    await server.kill('SIGKILL')
    throw new Error(`the server did not become ready: ${server.stdout()}${server.stderr()}`, { cause })
  }
}

const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.ok ?? false

const boundedFetch: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(20_000) })

function collect(stream: Readable | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

/** Resolves on `close`, which comes after the last output. */
const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
