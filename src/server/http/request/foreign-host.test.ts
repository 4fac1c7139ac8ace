import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { exchange } from '../../../../test/exchange.ts'
import * as make from '../../../../test/make.ts'

const portOf = ({ url }: TestApp): string => new URL(url).port

const participants = (host: string) => `GET /api/participants/0/1000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`

const codeOf = (answer: string): number => Number(/^\[\{"response_code":(\d+)/m.exec(answer)?.[1])

/** An app whose pages are known, as its participants have been listed. */
async function appWithPeople(settings: Record<string, string> = {}): Promise<TestApp> {
  const t = await testApp(settings)
  await make.participant(t, { email: 'ana@summit.example' })
  await t.client.listParticipants({ offset: 0, limit: 1000 })
  return t
}

test("a page at a name of somebody else's that leads to this machine reads nothing", async () => {
  await using t = await appWithPeople()
  for (let nth = 0; nth < 2; nth++) {
    const answer = await exchange(t, participants(`rebind.evil.example:${portOf(t)}`))
    expect(answer).toContain('[{"response_code":4000,')
    expect(answer).toContain('"reason":"UNKNOWN_HOST"')
    expect(answer).not.toContain('ana@')
  }
})

test("a page at a name of somebody else's that leads to this machine writes nothing", async () => {
  await using t = await appWithPeople()
  await make.topic(t)
  const body = '{"name":"CSRF","created_by":1}'
  const post = (host: string) =>
    `POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  expect(codeOf(await exchange(t, post(`rebind.evil.example:${portOf(t)}`)))).toBe(4000)
  expect((await t.client.listTopics({ offset: 0, limit: 10 })).NewsFeed).toHaveLength(1)
})

test.each([
  'localhost',
  'LOCALHOST.',
  'summit.localhost',
  'localhost.localdomain',
  '127.0.0.1',
  '127.1.2.3',
  '[::1]',
  '192.0.2.1',
])('whoever asks on this machine may call it %s', async (name) => {
  for (const settings of [{}, { PUBLIC_URL: 'https://summit.example' }]) {
    await using t = await appWithPeople(settings)
    for (const host of [name, `${name}:${portOf(t)}`])
      expect(codeOf(await exchange(t, participants(host))), host).toBe(1000)
  }
})

test.each(['localhost.evil.example', 'evil-localhost', '127.0.0.1.evil.example', 'a'])(
  'what only looks like a name of this machine is none: %s',
  async (name) => {
    await using t = await appWithPeople()
    expect(codeOf(await exchange(t, participants(`${name}:${portOf(t)}`)))).toBe(4000)
  },
)

test('a proxy on this machine passes on the name that it has, as it has a port of its own', async () => {
  await using t = await appWithPeople()
  for (const host of ['summit.example', 'summit.example:8080'])
    expect(codeOf(await exchange(t, participants(host))), host).toBe(1000)
})

test.each([
  ['SUMMIT.example', 1000],
  ['evil.example', 4000],
])('with PUBLIC_URL its name may lead to our own port, and no other: %s is %i', async (name, code) => {
  await using t = await appWithPeople({ PUBLIC_URL: 'https://Summit.example/backend' })
  expect(codeOf(await exchange(t, participants(`${name}:${portOf(t)}`)))).toBe(code)
})

test('a server that others reach goes by whatever name they have for it', async () => {
  await using t = await appWithPeople({ HOST: '0.0.0.0', ACCESS: 'open' })
  expect(codeOf(await exchange(t, participants(`summit.test:${portOf(t)}`)))).toBe(1000)
})
