import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../../../../../test/faults/server-process.ts'
import { createStorageWithTopic, listTopics, overwritePages } from './damage.fixtures.ts'

test('no worker is ready once one of them has found damage', async () => {
  await using storage = await createStorageWithTopic()
  await using server = await startServer(storage.dataDir, { WORKERS: '2' })
  const restore = await overwritePages(join(storage.dataDir, 'summit.db'))
  expect(await listTopics(server)).toBe(5000)
  await restore()
  const probe = () => fetch(`${server.url}/readyz`, { headers: { connection: 'close' } })
  const all = async () => (await Promise.all(Array.from({ length: 16 }, probe))).map(({ status }) => status)
  await expect.poll(all).toEqual(Array(16).fill(503))
})
