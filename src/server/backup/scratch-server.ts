import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../core/operator-error.ts'

const program = fileURLToPath(new URL('scratch-server-process.ts', import.meta.url))

const startTimeoutMs = 10 * 60_000

/** A server on a scratch folder, reachable from this machine only; stopped when disposed. */
export interface ScratchServer extends AsyncDisposable {
  /** Its URL, without a trailing slash. */
  address: string
}

/**
 * Starts a real server on the summit in a scratch folder.
 * @throws OperatorError with the output of the server, if it does not start
 */
export async function startScratchServer(dir: string): Promise<ScratchServer> {
  const env = { DATA_DIR: dir, PORT: '0', BEGIN_WITH: 'empty', LOG_LEVEL: 'error' }
  const child = fork(program, { env, cwd: dir, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const exit = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exit
  }
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
  try {
    for await (const line of createInterface(child.stdout as Readable)) {
      const [, address] = /^Summit is running at (\S+)/.exec(line) ?? []
      if (address === undefined) continue
      child.stdout?.resume()
      return { address, [Symbol.asyncDispose]: stop }
    }
  } finally {
    clearTimeout(timer)
  }
  await stop()
  throw new OperatorError(`A server on the restored backup did not start: ${errors.trim() || 'it printed nothing'}`)
}
