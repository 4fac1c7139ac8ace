import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { sendRawRequests } from '../../../../test/send-raw-requests.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'

const portOf = ({ url }: TestApp): string => new URL(url).port

const participants = (host: string) => `GET /api/participants/0/1000 HTTP/1.1\r\nHost: ${host}\r\n\r\n`

const codeOf = (response: string): number => Number(/^\[\{"response_code":(\d+)/m.exec(response)?.[1])

async function addCachedParticipant(t: TestApp): Promise<void> {
  await make.participant(t, { email: 'ana@summit.example' })
  await t.client.listParticipants({ offset: 0, limit: 1000 })
}

/** Starts an app whose list of participants is cached. */
async function appWithCachedParticipants(settings: Record<string, string> = {}): Promise<TestApp> {
  const t = await startTestApp(settings)
  await addCachedParticipant(t)
  return t
}

test('a page at a foreign name that resolves to this machine cannot read', async () => {
  await using t = await appWithCachedParticipants()
  for (let nth = 0; nth < 2; nth++) {
    const response = await sendRawRequests(t, participants(`rebind.evil.example:${portOf(t)}`))
    expect(response).toContain('[{"response_code":4000,')
    expect(response).toContain('"reason":"UNKNOWN_HOST"')
    expect(response).not.toContain('ana@')
  }
})

test('a page at a foreign name that resolves to this machine cannot write', async () => {
  await using t = await appWithCachedParticipants()
  await make.topic(t)
  const body = '{"name":"CSRF","created_by":1}'
  const post = (host: string) =>
    `POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: same-origin\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  expect(codeOf(await sendRawRequests(t, post(`rebind.evil.example:${portOf(t)}`)))).toBe(4000)
  expect((await t.client.listTopics({ offset: 0, limit: 10 })).NewsFeed).toHaveLength(1)
})

describe.each<[string, Record<string, string>]>([
  ['without PUBLIC_URL', {}],
  ['with PUBLIC_URL', { PUBLIC_URL: 'https://summit.example' }],
])('%s', (_, settings) => {
  const app = setUpSharedApp(settings, addCachedParticipant)

  test.each([
    'localhost',
    'LOCALHOST.',
    'summit.localhost',
    'localhost.localdomain',
    '127.0.0.1',
    '127.1.2.3',
    '[::1]',
    '192.0.2.1',
  ])('a client on this machine may use the Host %s', async (name) => {
    const t = app()
    for (const host of [name, `${name}:${portOf(t)}`])
      expect(codeOf(await sendRawRequests(t, participants(host))), host).toBe(1000)
  })

  test.each(['localhost.evil.example', 'evil-localhost', '127.0.0.1.evil.example', 'a'])(
    'a Host that only resembles a name of this machine is rejected: %s',
    async (name) => {
      const t = app()
      expect(codeOf(await sendRawRequests(t, participants(`${name}:${portOf(t)}`)))).toBe(4000)
    },
  )
})

test('a proxy on this machine may forward any Host, with its own port', async () => {
  await using t = await appWithCachedParticipants()
  for (const host of ['summit.example', 'summit.example:8080'])
    expect(codeOf(await sendRawRequests(t, participants(host))), host).toBe(1000)
})

test.each([
  ['SUMMIT.example', 1000],
  ['evil.example', 4000],
])('with PUBLIC_URL, only its name is accepted with our own port: %s gets %i', async (name, code) => {
  await using t = await appWithCachedParticipants({ PUBLIC_URL: 'https://Summit.example/backend' })
  expect(codeOf(await sendRawRequests(t, participants(`${name}:${portOf(t)}`)))).toBe(code)
})

test('a server that listens on the network accepts any Host', async () => {
  await using t = await appWithCachedParticipants({ HOST: '0.0.0.0', ACCESS: 'open' })
  expect(codeOf(await sendRawRequests(t, participants(`summit.test:${portOf(t)}`)))).toBe(1000)
})
