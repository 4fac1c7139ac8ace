import { expect, test } from 'vitest'
import { createDataFolder } from '../../../../test/faults/create-data-folder.ts'
import { startServer } from '../../../../test/faults/server-process.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { withoutSharp } from '../../../../test/without-sharp.ts'

test('a start where sharp cannot be loaded warns of it, and serves everything but pictures', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir, { NODE_OPTIONS: `--import=${withoutSharp}` })
  await waitUntil('it warns', () => server.stderr().includes('WARNING: Pictures cannot be drawn here: '))
  expect(server.stderr()).toContain('Could not load the "sharp" module')
  expect((await server.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})
