import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installed } from '../installed.ts'
import { keepAliveClient, type Tally } from './keep-alive-client.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

const root = join(import.meta.dirname, '../..')

/** Runs a command in a terminal of its own (script(1)), which closes when it is killed. */
const terminal = installed('script')

const childOf = async ({ pid }: ChildProcess): Promise<number> =>
  Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))

/** As a failed test leaves it; an earlier end is as good. */
function kill(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test.skipIf(!terminal)('a server whose terminal closes answers what is under way, and ends', async () => {
  await using folder = await temporaryFolder()
  using processes = new DisposableStack()
  const command = `exec "${process.execPath}" --import ./scripts/require-node.mjs src/server/main.ts --empty`
  const window = spawn(terminal ?? '', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: folder.dir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  processes.defer(() => window.kill('SIGKILL'))
  let server = 0
  const hasBegun = async () => {
    server = await childOf(window)
    return server > 0
  }
  await until('the server has begun', hasBegun, 5_000)
  processes.defer(() => kill(server))
  let shown = ''
  window.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  await until('it says where it is', () => shown.includes('access'), 15_000)
  const tally: Tally = { answered: 0, refused: 0, lost: [] }
  const [, url = ''] = /Summit is running at (\S+)/.exec(shown) ?? []
  using slow = keepAliveClient(url, tally, { bodyMs: () => 400 })
  // Sent in five parts, of which the first holds the beginning of the file.
  const files = [new File(['slow'.repeat(2_000)], 'slow.txt')]
  const topic = slow.client.createTopic({ name: 'Slow', created_by: 1 }, { files })
  topic.catch(() => {})
  await until('it arrives', async () => (await folder.stagedBlobs()).length > 0, 5_000)

  const closed = once(window, 'exit')
  window.kill('SIGKILL')
  await closed
  expect((await topic).NewsFeed).toHaveLength(1)
  await until('it has ended', () => !isRunning(server), 5_000)
})
