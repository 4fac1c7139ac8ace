import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../../src/server/config/config.ts'
import { createContext } from '../../src/server/lifecycle/start/create-context.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { launchServer } from '../faults/server-process.ts'
import { waitUntil } from '../wait-until.ts'

test('a second start reports that --empty has no effect, and that the signing key is missing', async () => {
  await using folder = await createDataFolder()
  // Starts a server, and stops it as soon as it is ready.
  const start = async () => {
    await using server = launchServer(folder.dir)
    await waitUntil('the server is ready', () => server.stdout().includes('Summit is running at'))
    // On Ctrl-C, a terminal signals both the server and npm, which signals the server again.
    process.kill(server.pid, 'SIGINT')
    await sleep(5)
    expect(await server.kill('SIGINT')).toEqual({ code: 0, signal: null })
    return { out: server.stdout(), err: server.stderr() }
  }
  const noEffect = '--empty has no effect: this summit already exists. To create a new one, set another DATA_DIR.\n'
  const first = await start()
  expect(first.out).not.toContain(noEffect)
  expect(first.err).toBe('')

  await rm(join(folder.dir, 'signature.key'))
  const second = await start()
  expect(second.out).toContain(noEffect)
  expect(second.err).toMatch(/^WARNING: The signing key of this summit is missing from .+\n$/)

  using warning = vi.spyOn(console, 'error')
  const { config } = readConfig({ DATA_DIR: folder.dir })
  await (await createContext(config)).close()
  expect(warning).not.toHaveBeenCalled()
})
