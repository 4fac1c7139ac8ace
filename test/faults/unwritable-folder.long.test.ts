import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createDataFolder } from './create-data-folder.ts'

const nobody = 65_534

test('an upload to a folder that has become unwritable gets STORAGE_READ_ONLY, and other writes are stored', async () => {
  await using folder = await createDataFolder()
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder.dir, nobody, nobody)
  const program = ['../../scripts/require-node.mjs', '../../src/server/main.ts']
  const server = spawn(
    process.execPath,
    ['--import', ...program.map((file) => join(import.meta.dirname, file)), '--empty'],
    {
      env: { PATH: process.env.PATH, DATA_DIR: folder.dir, PORT: '0', LOG_LEVEL: 'silent' },
      // Permissions do not apply to root.
      ...(isRoot && { uid: nobody, gid: nobody }),
    },
  )
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
