import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createTestStorage } from '../../../../../test/app.ts'
import { startServer } from '../../../../../test/faults/server-process.ts'
import { waitUntil } from '../../../../../test/wait-until.ts'

const failingWriter = fileURLToPath(new URL('../../../../../test/faults/failing-writer.ts', import.meta.url))

test('a bug in the group commit ends the process instead of leaving all later writes without a response', async () => {
  await using storage = await createTestStorage()
  const settings = { ...storage.settings, NODE_OPTIONS: `--import ${failingWriter}` }
  await using server = await startServer(storage.dataDir, settings)
  const write = () => server.client.createTopic({ name: 'Lunch is served', created_by: 1 })
  await write()
  process.kill(server.pid, 'SIGUSR2')
  await waitUntil('the bug is there', () => server.stdout().includes('the next transaction fails'))
  await Promise.allSettled([write()])
  const later = write().catch(() => {})
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.stderr()).toContain('Error: a bug of ours\n    at ')
  await later
})
