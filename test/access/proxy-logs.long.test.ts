import { expect, test } from 'vitest'
import { caddyMissing, startCaddy } from '../faults/caddy.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { nginxMissing, startHostNginx, startNginx } from '../faults/nginx.ts'
import type { ReverseProxy } from '../faults/reverse-proxy.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { cookieOf, sendInvitation } from './sessions.ts'

for (const missing of [nginxMissing, caddyMissing]) if (missing) console.warn(`skipped: ${missing}`)

const topics = '/api/newsfeeds/topics/0/10'

test.skipIf(nginxMissing !== undefined).each<[string, (dir: string, port: number) => Promise<ReverseProxy>]>([
  ['in containers', (dir, port) => startNginx(dir, [port, port])],
  ['on a host', startHostNginx],
])('nginx %s logs the id of a credential and no secret, also while the server is down', async (_, startProxy) => {
  const { id, access, header } = await collectLogs(startProxy)
  expect(header).toBe(null)
  expect(access).toMatch(new RegExp(`GET /k/-${topics} 200 \\d+ [\\d.]+ credential=${id} upstream=\\S+:200$`, 'm'))
  expect(access).toMatch(/GET \/k\/-\/api\/newsfeeds\/files\/1 200 /)
  expect(access).toMatch(new RegExp(`GET /k/-${topics} 502 .* upstream=.*502$`, 'm'))
  expect(access).toMatch(/GET \/api\/newsfeeds\/files\/1\/notes\.txt 200 /)
})

test.skipIf(caddyMissing !== undefined)(
  'Caddy logs the id of a credential and no secret, also while the server is down',
  async () => {
    const { id, access, errors } = await collectLogs(startCaddy)
    const lines = access
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const ofSecretUrl = { request: expect.objectContaining({ uri: '-' }), status: 200 }
    const headers = expect.objectContaining({ 'Summit-Credential': [String(id)] })
    expect(lines).toContainEqual(expect.objectContaining({ ...ofSecretUrl, resp_headers: headers }))
    expect(lines).toContainEqual(expect.objectContaining({ ...ofSecretUrl, status: 502 }))
    const file = { request: expect.objectContaining({ uri: '/api/newsfeeds/files/1/notes.txt-' }), status: 200 }
    expect(lines).toContainEqual(expect.objectContaining(file))
    expect(errors).toContain('connection refused')
  },
)

/** Sends all kinds of requests through a proxy, and again while the server is down. No log has their secrets. */
async function collectLogs(startProxy: (dir: string, port: number) => Promise<ReverseProxy>) {
  await using folder = await createDataFolder()
  await using t = await startAppWithKeys('members')
  await using proxy = await startProxy(folder.dir, Number(new URL(t.url).port))
  const { prefix, id } = await t.issuePersonalUrl(t.ana.participant)
  const uploaded_files = [{ name: 'notes.txt', data: 'R3LD' }]
  const { client } = t.ana
  const { NewsFeed } = await client.createTopic({ name: 'Lunch', created_by: t.ana.participant, uploaded_files })
  const { pathname, search } = new URL(NewsFeed[0]?.content.uploaded_files[0]?.link ?? '')

  const referer = `https://x.example${prefix}${search}`
  const get = (path: string) => fetch(proxy.url + path, { headers: { ...t.ana.headers, referer } })
  const response = await fetch(proxy.url + prefix + topics)
  expect([response.status, response.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  expect((await get(topics)).status).toBe(200)
  expect((await fetch(proxy.url + pathname + search)).status).toBe(200)
  expect((await fetch(proxy.url + prefix + pathname)).status).toBe(200)
  expect((await fetch(`${proxy.url}${prefix}/docs`)).status).toBe(404)
  for (const path of ['/sign-in', '/program']) expect((await fetch(proxy.url + path)).status, path).toBe(200)
  const session = await signIn(proxy, t)
  await sendEverything(proxy, prefix, search)
  await t[Symbol.asyncDispose]()
  expect((await get(topics)).status).toBe(502)
  expect((await fetch(proxy.url + prefix + topics)).status).toBe(502)
  expect((await fetch(proxy.url + pathname + search)).status).toBe(502)
  await sendEverything(proxy, prefix, search)

  const logs = await proxy.stop()
  const bearer = t.ana.headers.authorization?.slice('Bearer smt_'.length) ?? 'none'
  for (const secret of [prefix.slice('/k/smt_'.length), search.slice('?key=smm_'.length), bearer, ...session])
    for (const [what, text] of Object.entries(logs)) expect(text.includes(secret), what).toBe(false)
  return { ...logs, id, header: response.headers.get('summit-credential') }
}

/** Signs a participant in through the proxy. @returns the secrets of the invitation and the session */
async function signIn({ url }: ReverseProxy, t: AppWithKeys): Promise<string[]> {
  const { invitation } = await t.owner.client.inviteParticipant({ participantId: t.ben.participant })
  const token = new URL(invitation.link).hash.slice(1)
  const cookie = cookieOf(await sendInvitation(url, token))
  expect((await fetch(`${url}/api/me`, { headers: { cookie } })).status).toBe(200)
  return [token.slice('smt_'.length), cookie.slice('__Host-summit=smt_'.length)]
}

/** Requests that proxies log in one way or another: malformed, too large, unfinished, with the secret in odd places. */
async function sendEverything({ url }: ReverseProxy, prefix: string, search: string): Promise<void> {
  const secret = prefix.slice('/k/'.length)
  const head = 'Host: 127.0.0.1\r\nConnection: close\r\n'
  const t: Pick<AppWithKeys, 'url'> = { url }
  for (const target of [
    prefix + topics,
    `/${prefix}/${topics}`,
    `/%6B/${secret}${topics}`,
    `/%6b/%73mt_${secret.slice('smt_'.length)}${topics}`,
    `/k%2f${secret}${topics}`,
    `/k/x/a${secret}`,
    `/k/x/api/%73mt_${secret.slice('smt_'.length)}`,
    `/backend/k/%73mt_${secret.slice('smt_'.length)}${topics}`,
    `/x/s%6Dt_${secret.slice('smt_'.length)}`,
    `${prefix}/%zz`,
    `HTTP://127.0.0.1${prefix}${topics}`,
    `http://127.0.0.1${prefix}${topics}`,
    `/backend${prefix}${topics}`,
    `/${secret}${topics}`,
    `${prefix}${prefix}${topics}`,
    `${prefix}/api/../..${prefix}`,
    `${prefix}${topics}${search}`,
    `${topics}${search}&x=${secret}`,
    `${prefix}/api/%zz`,
    `${prefix}/api/${'a'.repeat(9_000)}`,
    `${prefix} ${topics}`,
  ])
    await sendRawRequests(t, `GET ${target} HTTP/1.1\r\n${head}\r\n`).catch(() => '')
  for (const lines of [
    `GET ${prefix}${topics} HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET ${prefix}${topics} HTTP/1.1\r\n${head}Bad header\r\n\r\n`,
    `GET ${prefix}${topics} HTTP/9.9\r\n${head}\r\n`,
    `GET ${prefix}${topics} HTTP/1.1\r\n${head}X: ${'a'.repeat(40_000)}\r\n\r\n`,
    `POST ${prefix}/api/newsfeeds/topics/create HTTP/1.1\r\n${head}Content-Length: 999999999\r\n\r\n`,
    `POST ${prefix}/api/newsfeeds/topics/create HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ])
    await sendRawRequests(t, lines).catch(() => '')
}
