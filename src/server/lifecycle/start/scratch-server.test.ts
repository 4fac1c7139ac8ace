import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { startScratchServer } from './scratch-server.ts'

/** https://nodejs.org/docs/latest/api/process.html#processgetactiveresourcesinfo */
const countListeners = (): number =>
  process.getActiveResourcesInfo().filter((resource) => /^(?:TCP|Pipe)ServerWrap$/.test(resource)).length

test('a server on a copy responds, and no other user of the machine can connect to it', async () => {
  await using storage = await createTestStorage()
  const before = countListeners()
  {
    await using t = await startTestAppOn(storage)
    expect(countListeners()).toBe(before + 1)
    await make.topic(t, { name: 'In the backup' })
  }
  await using server = await startScratchServer(storage.dataDir)
  expect(await server.get('/api/newsfeeds/topics/0/10')).toContain('In the backup')
  expect(countListeners()).toBe(before)
})
