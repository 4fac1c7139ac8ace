import type { TestApp } from '../../../test/app.ts'

export const key = { idempotencyKey: '3f0a-41' }
export const lunch = { name: 'Lunch is served', created_by: 1 }

/** The header that marks a response as that of an earlier request. */
export const replayedHeader = (response: { headers: Headers }) => response.headers.get('idempotency-replayed')

/** The JSON text of a response's data. */
export const dataTextOf = (text: string): string => text.slice(text.indexOf('"data":'), text.lastIndexOf(',"system":'))

/** The headers of all topics. */
export const topics = async (t: TestApp) =>
  (await t.client.listTopics({ offset: 0, limit: 10 })).NewsFeed.map((topic) => topic.content.header)
