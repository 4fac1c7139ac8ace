import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createDataFolder } from './create-data-folder.ts'

const nobody = 65_534

/** Starts a server as the owner of its folder, and never as root, to whom permissions do not apply. */
async function launchUnprivileged(dir: string) {
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(dir, nobody, nobody)
  const program = ['../../scripts/require-node.mjs', '../../src/server/main.ts']
  return spawn(process.execPath, ['--import', ...program.map((file) => join(import.meta.dirname, file)), '--empty'], {
    env: { PATH: process.env.PATH, DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'silent' },
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
}

test('a read-only DATA_DIR ends the program with one line and exit code 1', async () => {
  await using folder = await createDataFolder()
  await chmod(folder.dir, 0o555)
  const server = await launchUnprivileged(folder.dir)
  const [err, [code]] = await Promise.all([text(server.stderr), once(server, 'close')])
  const reason = `The mode of ${folder.dir}, or a policy such as SELinux, denies access to its owner, the current user.`
  expect([code, err]).toEqual([1, `${reason} Run: chmod -R u+rwX ${folder.dir}\n`])
})

test('an upload to a folder that has become unwritable gets STORAGE_READ_ONLY, and other writes are stored', async () => {
  await using folder = await createDataFolder()
  const server = await launchUnprivileged(folder.dir)
  try {
    let welcome = ''
    for await (const chunk of server.stdout.setEncoding('utf8')) {
      welcome += chunk
      if (welcome.includes('access')) break
    }
    const client = createClient(/Summit is running at (\S+)/.exec(welcome)?.[1] ?? '')
    const staging = join(folder.dir, 'blobs', 'staging')
    for (const own of await readdir(staging)) await chmod(join(staging, own), 0o500)

    const files = [new File(['slides'], 'slides.txt')]
    const { envelope } = await client.call('createTopic', { name: 'Slides', created_by: 1 }, { files })
    expect(envelope).toMatchObject({ response_code: 5071, data: { reason: 'STORAGE_READ_ONLY' } })
    expect((await client.createTopic({ name: 'No slides', created_by: 1 })).NewsFeed).toHaveLength(1)
  } finally {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
})
