import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../src/server/config/config.ts'
import { createContext } from '../src/server/context.ts'
import { launch } from './faults/server-process.ts'
import { temporaryFolder } from './faults/temporary-folder.ts'
import { until } from './faults/until.ts'

test('a start says what of it has no effect any more, and what was lost since the one before', async () => {
  await using folder = await temporaryFolder()
  // Told to stop as soon as it says where it is, each ends cleanly.
  const start = async () => {
    await using server = launch(folder.dir)
    await until('it says where it is', () => server.stdout().includes('Summit is running at'), 15_000)
    // A terminal sends its Ctrl-C to npm as well, which passes it on.
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
}, 60_000)
