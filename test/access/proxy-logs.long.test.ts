import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { type Nginx, nginxMissing, startHostNginx, startNginx } from '../faults/nginx.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'

const topics = '/api/newsfeeds/topics/0/10'

test.skipIf(nginxMissing !== undefined).each<[string, (dir: string, port: number) => Promise<Nginx>]>([
  ['in containers', (dir, port) => startNginx(dir, [port, port])],
  ['on a host', startHostNginx],
])('nginx %s logs the id of a credential and no secret, also while the server is down', async (_, startProxy) => {
  await using folder = await createDataFolder()
  await using t = await startAppWithKeys('members')
  const nginx = await startProxy(folder.dir, Number(new URL(t.url).port))
  const { prefix, id } = await t.issuePersonalAddress(t.ana.participant)
  const uploaded_files = [{ name: 'notes.txt', data: 'R3LD' }]
  const { client } = t.ana
  const { NewsFeed } = await client.createTopic({ name: 'Lunch', created_by: t.ana.participant, uploaded_files })
  const { pathname, search } = new URL(NewsFeed[0]?.content.uploaded_files[0]?.link ?? '')

  const get = (path: string) => fetch(nginx.url + path, { headers: t.ana.headers })
  const response = await fetch(nginx.url + prefix + topics)
  expect([response.status, response.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  expect(response.headers.get('summit-credential')).toBe(null)
  expect((await fetch(nginx.url + pathname + search)).status).toBe(200)
  expect((await fetch(nginx.url + prefix + pathname)).status).toBe(200)
  expect((await fetch(`${nginx.url}${prefix}/docs`)).status).toBe(404)
  for (const path of ['/sign-in', '/pages/style.css']) expect((await fetch(nginx.url + path)).status, path).toBe(200)
  await sendEverything(nginx, prefix, search)
  await t[Symbol.asyncDispose]()
  expect((await get(topics)).status).toBe(502)
  expect((await fetch(nginx.url + prefix + topics)).status).toBe(502)
  expect((await fetch(nginx.url + pathname + search)).status).toBe(502)
  await sendEverything(nginx, prefix, search)

  const { access, errors } = await nginx.stop()
  expect(access).toMatch(new RegExp(`GET /k/-${topics} 200 \\d+ [\\d.]+ credential=${id} upstream=\\S+:200$`, 'm'))
  expect(access).toMatch(/GET \/k\/-\/api\/newsfeeds\/files\/1 200 /)
  expect(access).toMatch(new RegExp(`GET /k/-${topics} 502 .* upstream=.*502$`, 'm'))
  expect(access).toMatch(new RegExp(`GET ${pathname} 200 `, 'm'))
  const secrets = [prefix.slice('/k/smt_'.length), search.slice('?key=smm_'.length)]
  for (const secret of [...secrets, t.ana.headers.authorization?.slice('Bearer smt_'.length) ?? 'none'])
    for (const [what, text] of Object.entries({ access, errors })) expect(text.includes(secret), what).toBe(false)
})

/** Requests that nginx logs in one way or another: malformed, too large, unfinished, with the secret in odd places. */
async function sendEverything({ url }: Nginx, prefix: string, search: string): Promise<void> {
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
