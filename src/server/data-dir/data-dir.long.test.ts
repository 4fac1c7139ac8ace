import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createDataFolder } from '../../../test/faults/create-data-folder.ts'

test('a read-only DATA_DIR ends the program with one line and exit code 1', async () => {
  const isRoot = process.getuid?.() === 0
  const nobody = 65_534
  const root = join(import.meta.dirname, '../../..')
  await using folder = await createDataFolder()
  if (isRoot) await chown(folder.dir, nobody, nobody)
  await chmod(folder.dir, 0o555)
  const [node, main] = [join(root, 'scripts/require-node.mjs'), join(root, 'src/server/main.ts')]
  const env = { PATH: process.env.PATH, DATA_DIR: folder.dir, PORT: '0' }
  const user = isRoot ? { uid: nobody, gid: nobody } : {}
  const server = spawn(process.execPath, ['--import', node, main], { env, timeout: 15_000, ...user })
  const [err, [code]] = await Promise.all([text(server.stderr), once(server, 'close')])
  const reason = `The mode of ${folder.dir}, or a policy such as SELinux, denies access to its owner, the current user.`
  expect([code, err]).toEqual([1, `${reason} Run: chmod -R u+rwX ${folder.dir}\n`])
})
