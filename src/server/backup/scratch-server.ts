import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../core/operator-error.ts'

const program = fileURLToPath(new URL('../lifecycle/scratch-server-process.ts', import.meta.url))

/** The process gets no environment, but uses the cache of compiled files. */
const requireNode = new URL('../../../scripts/require-node.mjs', import.meta.url)

/** For a start or a response. */
const timeoutMs = 10 * 60_000

/**
 * A server on a scratch folder, in a process of its own; stopped when disposed. It listens nowhere, because anyone on
 * this machine could connect to it: requests reach it through a pipe.
 */
export interface ScratchServer extends AsyncDisposable {
  /** Requests a path. Send one request at a time. @returns the body of the response */
  get(path: string): Promise<string>
}

/**
 * Starts the server on the summit in a scratch folder.
 * @throws OperatorError with the output of the server, if it does not start
 */
export async function startScratchServer(dir: string): Promise<ScratchServer> {
  // With a copy of this process's standard error: a program that reads that to its end waits until this child has
  // ended, too.
  const child = fork(program, [dir], {
    env: {},
    cwd: dir,
    execArgv: ['--import', requireNode.href],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 2],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = once(child, 'close')
  const failed = closed.then(() => {
    throw new OperatorError(`A server on the restored backup has ended: ${errors.trim() || 'it printed nothing'}`)
  })
  failed.catch(() => {})
  const receive = async (): Promise<string> => {
    const timer = setTimeout(() => {
      errors += `no response for ${timeoutMs / 60_000} minutes`
      child.kill('SIGKILL')
    }, timeoutMs)
    const [message] = await Promise.race([once(child, 'message'), failed]).finally(() => clearTimeout(timer))
    return message
  }
  await receive()
  return {
    get: (path) => {
      const body = receive()
      child.send(path)
      return body
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}
