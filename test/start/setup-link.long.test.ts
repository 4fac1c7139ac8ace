import { spawn } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicUrl } from '../access/app-with-keys.ts'
import { ownPage } from '../access/sessions.ts'
import { createTestStorage } from '../app.ts'
import { startServer } from '../faults/server-process.ts'
import { findProgram } from '../find-program.ts'
import * as make from '../make.ts'
import { waitUntil } from '../wait-until.ts'

// The link for the first owner, by the real program.

const root = join(import.meta.dirname, '../..')

/** script(1), which runs a command in a terminal of its own. */
const script = findProgram('script')

const members = { ACCESS: 'members', PUBLIC_URL: publicUrl }

async function becomeOwner(url: string, text: string): Promise<number> {
  const [token] = /smt_[\w-]{43}/.exec(text) ?? []
  const body = JSON.stringify({ token, email: 'eva@summit.example' })
  return (await make.send({ url }, 'POST', '/api/sign-in/invitation', body, ownPage)).response_code
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

test('without a terminal the link is in a file until there is an owner, and never in the output', async () => {
  await using storage = await createTestStorage()
  const settings = { ...storage.settings, ...members, WORKERS: '2', LOG_LEVEL: 'debug' }
  const file = join(storage.dataDir, 'setup-link')
  {
    await using server = await startServer(storage.dataDir, settings)
    expect(await becomeOwner(server.url, await readFile(file, 'utf8'))).toBe(1000)
    await waitUntil('the file is removed', async () => !(await exists(file)))
    expect(server.stdout()).toContain(file)
    expect(server.stdout() + server.stderr()).not.toContain('smt_')
  }
  await using _ = await startServer(storage.dataDir, settings)
  expect(await exists(file)).toBe(false)
})

test.skipIf(!script)('on a terminal the link is printed, and in no file', async () => {
  await using storage = await createTestStorage()
  using processes = new DisposableStack()
  const command = `exec "${process.execPath}" --import ./scripts/require-node.mjs src/server/main.ts --empty`
  const terminal = spawn(script ?? '', ['--quiet', '--flush', '--command', command, '/dev/null'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', ...storage.settings, ...members },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // The server exits with its terminal.
  processes.defer(() => terminal.kill('SIGKILL'))
  let printed = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  await waitUntil('the server has started', async () => /docs {4}http/.test(printed))
  expect(printed).toContain(`${publicUrl}/setup#smt_`)
  expect(await exists(join(storage.dataDir, 'setup-link'))).toBe(false)
  const [, url = ''] = /docs {4}(http\S+)\/docs/.exec(printed) ?? []
  expect(await becomeOwner(url, printed)).toBe(1000)
})
