import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultTimeoutMs } from '../../src/server/lifecycle/stop/drain.ts'
import { findProgram } from '../find-program.ts'
import * as make from '../make.ts'
import { waitUntil } from '../wait-until.ts'
import { childrenOf } from './child-processes.ts'
import { createDataFolder } from './create-data-folder.ts'
import { startUpload } from './upload-in-progress.ts'

const root = join(import.meta.dirname, '../..')

/** script(1), which runs a command in a terminal of its own. The terminal closes when script is killed. */
const script = findProgram('script')

function killIfRunning(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const isListening = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  )

test.skipIf(!script)('a server whose terminal closes completes the request in progress, and exits', async () => {
  await using folder = await createDataFolder()
  using processes = new DisposableStack()
  const command = `exec "${process.execPath}" --import ./scripts/require-node.mjs src/server/main.ts --empty`
  const terminal = spawn(script ?? '', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: folder.dir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  processes.defer(() => terminal.kill('SIGKILL'))
  const started = () => childrenOf(Number(terminal.pid))
  await waitUntil('the server process has started', async () => (await started()).length > 0)
  const server = make.only(await started())
  processes.defer(() => killIfRunning(server))
  let output = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await waitUntil('the server is ready', () => output.includes('access'))
  const [, url = ''] = /Summit is running at (\S+)/.exec(output) ?? []
  using upload = await startUpload(url, folder)

  const closed = once(terminal, 'exit')
  terminal.kill('SIGKILL')
  await closed
  await waitUntil('the server has stopped listening', async () => !(await isListening(url)))
  expect(await upload.finish()).toBe(1000)
  await waitUntil('the server has exited', () => !isRunning(server), defaultTimeoutMs)
})
