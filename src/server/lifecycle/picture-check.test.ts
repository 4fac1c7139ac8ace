import { expect, test } from 'vitest'
import { startServer } from '../../../test/faults/server-process.ts'
import { temporaryFolder } from '../../../test/faults/temporary-folder.ts'

/** Makes sharp fail to load in a process and its children, as without a build for the machine. */
const withoutSharp = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'sharp') throw new Error('Could not load the "sharp" module')
    return next(specifier, context)
  },
})`

test('a start where sharp cannot be loaded warns of it, and serves everything but pictures', async () => {
  await using folder = await temporaryFolder()
  const hook = `data:text/javascript,${encodeURIComponent(withoutSharp)}`
  await using server = await startServer(folder.dir, { NODE_OPTIONS: `--import=${hook}` })
  await expect.poll(server.stderr, { timeout: 20_000 }).toContain('WARNING: Pictures cannot be drawn here: ')
  expect(server.stderr()).toContain('Could not load the "sharp" module')
  expect((await server.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})
