import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { createCurrentReader } from './current.ts'
import { Freshness } from './freshness.ts'

test('what was read for a few keys stays, each until something changes, and no more than those', async () => {
  await using t = await startTestApp()
  const { database } = t.ctx
  const freshness = new Freshness(database)
  const reads: string[] = []
  const options = { database, freshness, dependencies: ['program'], isStored: true, keys: 2 } as const
  const read = createCurrentReader(options, async ({ links }) => reads.push(links.base))
  const readFor = async (...hosts: string[]): Promise<string[]> => {
    reads.length = 0
    for (const key of hosts)
      await inCommand(t, async (scope) => {
        const links = Object.assign(Object.create(scope.links), { base: key })
        await read({ ...scope, links }, await freshness.refresh(), key)
      })
    return [...reads]
  }
  expect(await readFor('one', 'two', 'one', 'two', 'one')).toEqual(['one', 'two'])
  await make.event(t)
  expect(await readFor('one', 'two', 'one', 'two')).toEqual(['one', 'two'])
  // A flood of names leaves the last ones.
  expect(await readFor('three', 'two', 'one')).toEqual(['three', 'one'])
})
