import { describe, expect, test } from 'vitest'
import { startOfTest } from '../../../../test/app.ts'
import { appWithLargeResponses, fill, proxy, receiveCode, testOnLinux } from './large-responses.fixtures.ts'

describe('a client that does not read its responses', () => {
  testOnLinux('gets one response that is larger than the memory for all, without harm to others', async () => {
    await using t = await appWithLargeResponses()
    await t.ctx.database.transaction(async (tx) => {
      const body = '\u0001'.repeat(10_000_000)
      await tx.insertInto('topic').values({ header: 'x', body, created_at: startOfTest }).execute()
    })
    const address = '127.0.0.10'
    expect(await receiveCode(t, 'h0.test', { address })).toBe(1000)
    expect(await receiveCode(t, 'h1.test', { address, offset: 1 })).toBe(5030)
    expect(await receiveCode(t, 'h2.test', { address: '127.0.0.11', offset: 1 })).toBe(1000)
  })

  test('has one share for all addresses of an IPv6 network', async () => {
    await using t = await appWithLargeResponses(proxy)
    expect(await fill(t, (nth) => ({ forwardedFor: `2001:db8:0:1::${nth}` }))).toBe(2)
    expect(await receiveCode(t, 'other.test', { forwardedFor: '2001:db8:0:2::1' })).toBe(1000)
  })

  test('has no share of its own behind a trusted proxy that does not name it', async () => {
    await using t = await appWithLargeResponses(proxy)
    expect(await fill(t, () => ({}))).toBe(5)
  })

  testOnLinux('is not believed to be a proxy unless it is trusted', async () => {
    await using t = await appWithLargeResponses()
    expect(await fill(t, (nth) => ({ forwardedFor: `192.0.2.${nth}` }))).toBe(2)
    await using other = await appWithLargeResponses(proxy)
    expect(await fill(other, (nth) => ({ address: '127.0.0.10', forwardedFor: `192.0.2.${nth}` }))).toBe(2)
  })
})
