import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../src/server/config.ts'
import { createContext } from '../src/server/context.ts'
import { startServer } from './faults/server-process.ts'
import { temporaryFolder } from './faults/temporary-folder.ts'

test('a start says what of it has no effect any more, and what was lost since the one before', async () => {
  await using folder = await temporaryFolder()
  const start = async () => {
    await using server = await startServer(folder.dir)
    await server.kill('SIGTERM')
    return { out: server.stdout(), err: server.stderr() }
  }
  const noEffect = '(--empty has no effect: this summit has begun already)\n'
  const first = await start()
  expect(first.out).not.toContain(noEffect)
  expect(first.err).toBe('')

  await rm(join(folder.dir, 'signature.key'))
  const second = await start()
  expect(second.out).toContain(noEffect)
  expect(second.err).toMatch(/^WARNING: This summit has begun already, but its signing key is not in .+\n$/)

  using warning = vi.spyOn(console, 'error')
  const { config } = readConfig({ DATA_DIR: folder.dir })
  await (await createContext(config)).close()
  expect(warning).not.toHaveBeenCalled()
}, 60_000)
