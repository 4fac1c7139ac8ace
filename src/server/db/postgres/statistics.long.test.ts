import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { ParticipantId, TopicId } from '../../ids.ts'

const topics = 340
const commentsOfEach = 110

test('large pages are answered though the server took its statistics while an import was storing them', async () => {
  await using t = await testApp()
  const { database } = t.ctx
  await database.transaction(async (tx) => {
    const rows = Array.from({ length: topics }, () => ({ header: 'Lunch is served', created_at: 1 }))
    await tx.insertInto('topic').values(rows).execute()
    for (let nth = 1; nth <= commentsOfEach; nth++) {
      const comments = rows.map((_, index) => ({
        topic_id: (index + 1) as TopicId,
        comment: 'On my way',
        created_at: 1,
        created_by: nth as ParticipantId,
      }))
      await tx.insertInto('comment').values(comments).execute()
    }
    // It counts what is committed: nothing. So it takes any plan to be as good as any other.
    await sql`analyze`.execute(database.read)
  })
  for (const [limit, ofEach] of [
    [20, 100],
    [50, 100],
    [340, 14],
  ] as const) {
    const { NewsFeed } = await t.client.listTopics({ offset: 0, limit })
    expect(NewsFeed.map(({ comments }) => comments.length)).toEqual(Array.from({ length: limit }, () => ofEach))
  }
  expect(make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).comments).toHaveLength(commentsOfEach)
})
