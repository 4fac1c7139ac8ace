import { describe, expect, test } from 'vitest'
import { startAppWithKeys } from './app-with-keys.ts'

const hour = 60 * 60 * 1000

describe('the last use of a key', () => {
  test('is stored to the hour', async () => {
    await using t = await startAppWithKeys('members')
    const { id, client } = t.ana
    const usedAt = async () => {
      const row = t.ctx.database.read.selectFrom('credential').select('used_at').where('id', '=', id)
      return (await row.executeTakeFirst())?.used_at
    }
    /** It is stored a second after the response. */
    const expectUsedAt = (ms: number) => expect.poll(usedAt).toBe(ms)
    const use = () => client.listTopics({ offset: 0, limit: 1 })
    const first = t.ctx.clock()
    expect(await usedAt()).toBe(0)
    await use()
    await expectUsedAt(first)
    t.advance(hour)
    await use()
    t.advance(1000)
    await use()
    await expectUsedAt(first + hour + 1000)
  })
})
