import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import type { EnvelopeResponse } from '../../client/client.ts'
import { changeKinds } from '../../contract/changes.ts'
import type { JsonOperationName } from '../../contract/index.ts'
import { pathsOf, startServers } from './cache-consistency.fixtures.ts'
import { requests, writes } from './random-writes.fixtures.ts'

describe('cached responses match the database, with a timestamp and signature of their own', () => {
  test('after every kind of write by another process', async () => {
    await using all = await startServers()
    // One request of each read: the others depend on the same parts of the data. The long test compares all.
    const paths = pathsOf(1)
    await all.expectExact(paths)
    const kindsAfter = (id: number) =>
      all.t.ctx.database.read.selectFrom('change').select('kind').where('id', '>', id).execute()
    // The ids of the log have no gaps.
    const { length: last } = await kindsAfter(0)
    for (const kind of Object.keys(writes) as (keyof typeof writes)[]) {
      // Deletes the newest topic, so that others move up; all other writes change the first record.
      const target = kind === 'deleteTopic' ? 2 : 0
      const written = writes[kind](all.other.client, { kind, target, via: 1, text: kind }, all.t)
      if (kind in requests)
        expect(await make.codeOf(written as Promise<EnvelopeResponse<JsonOperationName>>), kind).toBeLessThan(4000)
      await written
      await all.expectExact(paths)
    }
    const logged = new Set((await kindsAfter(last)).map(({ kind }) => kind))
    const missing = changeKinds.filter((kind) => !kind.startsWith('summit.') && !logged.has(kind))
    expect(missing, 'kinds of changes that no write in random-writes.fixtures.ts makes').toEqual([])
  })
})

test('every read that starts after a write was acknowledged sees it', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  let acknowledged = 0
  const writer = async () => {
    for (let nth = 1; nth <= 60; nth++) {
      await make.comment(t, { topic_id: 1 })
      acknowledged = nth
    }
  }
  const reader = async () => {
    while (acknowledged < 60) {
      const before = acknowledged
      const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 5 })
      expect(NewsFeed[0]?.comments.length).toBeGreaterThanOrEqual(before)
    }
  }
  await Promise.all([writer(), reader(), reader(), reader()])
})
