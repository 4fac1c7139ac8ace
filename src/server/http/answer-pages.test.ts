import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { alike, exchange } from '../../../test/exchange.ts'
import * as make from '../../../test/make.ts'

const get = (path: string, headers = '', version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nHost: h.test\r\n${headers}\r\n`

const pages = [
  '/api/newsfeeds/topics/0/20',
  '/api/newsfeeds/topics/1/details',
  '/api/newsfeeds/topics/1/comments/0/10',
  '/api/newsfeeds/comments/1/details',
  '/api/program/list/0/20',
  '/api/program/details/1',
  '/api/feedback/list/0/20',
  '/api/feedback/list/0/20/1',
  '/api/participants/0/50',
]

async function filled() {
  const t = await testApp()
  await make.participant(t)
  await make.event(t)
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.addFeedback({ created_by: 1, comments: 'Zürich 👍' })
  return t
}

test.each(pages)('%s is answered alike when it is made and when it is kept', async (path) => {
  await using t = await filled()
  const [made, kept] = [await exchange(t, get(path)), await exchange(t, get(path))]
  expect(made).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(alike(kept)).toBe(alike(made))
  expect(kept.match(/request-id: \S+/)?.[0]).not.toBe(made.match(/request-id: \S+/)?.[0])
})

test('a page too long to be sent in one piece is answered alike, too', async () => {
  await using t = await filled()
  const body = 'Zürich – 👍 '.repeat(900)
  await make.topic(t, { name: 'long', body })
  const [made, kept] = [await exchange(t, get(pages[0] ?? '')), await exchange(t, get(pages[0] ?? ''))]
  expect(alike(kept)).toBe(alike(made))
  expect(kept).toContain(body)
})

describe('a page that is kept', () => {
  const path = '/api/newsfeeds/topics/0/20'

  test('carries the second of each answer', async () => {
    await using t = await filled()
    const answers = []
    for (let nth = 0; nth < 3; nth++) {
      answers.push(/"created_at":"([^"]+)","signature/.exec(await exchange(t, get(path)))?.[1])
      t.advance(1_000)
    }
    expect(answers).toEqual(['2030-05-01 09:00:00', '2030-05-01 09:00:01', '2030-05-01 09:00:02'])
  })

  test('is answered in order when asked for again before its answer is read', async () => {
    await using t = await filled()
    await exchange(t, get(path))
    const answers = await exchange(t, get(path) + get('/api/nowhere') + get(path) + get('/api/program/list/0/20'))
    expect(answers.match(/"response_code":(\d+)|"events"/g)).toEqual([
      '"response_code":1000',
      '"response_code":4041',
      '"response_code":1000',
      '"response_code":1000',
      '"events"',
    ])
  })

  test.each([
    ['HEAD', `HEAD ${path} HTTP/1.1\r\nHost: h.test\r\n\r\n`, /200 OK[\s\S]*content-length: \d{3}[\s\S]*\r\n\r\n$/],
    ['an old client', get(path, '', '1.0'), /200 OK[\s\S]*Connection: close/i],
    ['two Hosts', get(path, 'Host: h.test\r\n'), /"response_code":4000/],
    ['an unknown expectation', get(path, 'Expect: the-best\r\n'), /"response_code":4000/],
    ['another method', `PUT ${path} HTTP/1.1\r\nHost: h.test\r\ncontent-length: 0\r\n\r\n`, /"response_code":4050/],
    ['a trailing slash', get(`${path}/`), /"response_code":1000/],
    ['whoever closes', get(path, 'Connection: close\r\n'), /Connection: close[\s\S]*"response_code":1000/],
  ])('leaves %s to the rules', async (_who, request, expected) => {
    await using t = await filled()
    await exchange(t, get(path))
    expect(await exchange(t, request)).toMatch(expected)
  })

  test('is answered by the rules once its record is gone', async () => {
    await using t = await filled()
    const details = get('/api/newsfeeds/topics/1/details')
    await exchange(t, details)
    await t.client.deleteTopic({ topic_id: 1 })
    expect(await exchange(t, details)).toContain('"response_code":4040')
  })

  test.each(['0', '1000000'])('is made anew where %s bytes are kept, alike', async (bytes) => {
    await using t = await testApp({ PAGE_CACHE_BYTES: bytes })
    await make.topic(t)
    const first = await exchange(t, get(path))
    expect(alike(await exchange(t, get(path)))).toBe(alike(first))
    await make.topic(t)
    const changed = await exchange(t, get(path))
    expect(changed).toContain('"id":"2"')
    expect(alike(await exchange(t, get(path)))).toBe(alike(changed))
  })

  test('is counted as every answer is', async () => {
    await using t = await filled()
    for (let nth = 0; nth < 3; nth++) await exchange(t, get(path))
    expect(await (await fetch(`${t.url}/metrics`)).text()).toContain(
      'summit_answers_total{operation="listTopics",response_code="1000"} 3',
    )
  })
})
