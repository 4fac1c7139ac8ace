import { request as openRequest } from 'node:http'
import { expect, test } from 'vitest'
import { Failure } from '../../src/server/core/failure.ts'
import { publicUrl, setUpSharedAppWithKeys, startAppWithKeys } from '../access/app-with-keys.ts'
import { anasAddress, codeOf, startAppWithMail } from '../access/codes.ts'
import { cookieOf, inviteAsParticipant, ownPage, signInAsParticipant } from '../access/sessions.ts'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { addConference, readPage } from './read-page.ts'

const json = { accept: 'application/json' }

/** Sends a form as a browser does. */
const submit = (t: TestApp, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(t.url + path, {
    method: 'POST',
    headers: { accept: 'text/html', ...ownPage, ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })

test.each(['/nothing', '/sessions/99', '/sessions/x', '/program/2031-01-01', '/speakers/x/y', '/web/x/style.css'])(
  'somebody who looks for %s in a browser sees a page that leads on',
  async (path) => {
    await using t = await startTestApp()
    await addConference(t)
    const { status, words, text, headers } = await readPage(t, path)
    expect(status).toBe(404)
    expect(words).toMatch(/^There is nothing here The address may be misspelt/)
    expect(text).toContain('<a class="button primary" href="/">')
    expect(text).toContain('Summit 2030')
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['private, no-store', 'noindex'])
  },
)

test.each(['/nothing', '/api/nothing', '/api/program/schedule/events/99', '/k/x/api/me', '/healthz/x', '/metrics/x'])(
  'a program gets the failure of %s as JSON, and below the paths of programs a browser does, too',
  async (path) => {
    await using t = await startTestApp()
    const accepts = path === '/nothing' ? [json, { accept: '*/*' }] : [json, { accept: 'text/html' }]
    for (const headers of accepts) {
      const response = await fetch(t.url + path, { headers })
      expect(response.headers.get('content-type')).toMatch(/^application\/(problem\+)?json;/)
      expect(JSON.stringify(await response.json())).toMatch(/NO_SUCH_ROUTE|EVENT_NOT_FOUND/)
    }
    const head = await fetch(t.url + path, { method: 'HEAD', headers: json })
    expect(head.headers.get('content-type')).toMatch(/^application\/(problem\+)?json;/)
    expect(await head.text()).toBe('')
  },
)

test('pages answer HEAD with the headers of GET', async () => {
  await using t = await startTestApp()
  for (const path of ['/', '/plan', '/releases', '/nothing']) {
    const [get, head] = [
      await readPage(t, path),
      await fetch(t.url + path, { method: 'HEAD', headers: { accept: 'text/html' } }),
    ]
    expect([head.status, await head.text()]).toEqual([get.status, ''])
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8')
  }
})

test('without its database, the server shows a page that says to come back, with the id of the request', async () => {
  await using t = await startTestApp()
  Object.assign(t.ctx.database, { snapshot: () => Promise.reject(new Failure('UNAVAILABLE')) })
  const { status, words, headers } = await readPage(t, '/')
  expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(words).toMatch(/^Back in a moment The server cannot show this page right now/)
  expect(words).toContain(`name ${headers.get('request-id')}.`)
})

/** Sends a request that `fetch` would not. */
const sendRaw = (t: TestApp, path: string, host: string): Promise<{ status: number; type: string; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(t.url)
    const headers = { host, accept: 'text/html' }
    openRequest({ hostname, port, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }),
      )
    })
      .on('error', reject)
      .end()
  })

test.each(['/', '/nothing', '/plan', '/me', '/%zz'])(
  'a browser that names no host gets a sentence at %s',
  async (path) => {
    await using t = await startTestApp()
    const { status, type, text } = await sendRaw(t, path, path === '/%zz' ? new URL(t.url).host : 'a b')
    expect([400, 404]).toContain(status)
    expect([type, text]).toEqual(['text/plain; charset=utf-8', expect.stringMatching(/^[A-Z][^<{]+\.\n$/)])
  },
)

test('where ACCESS is members, a visitor signs in with an invitation and comes back to the page', async () => {
  await using t = await startAppWithKeys('members')
  await make.event(t)
  const first = await readPage(t, '/program?q=a%26b')
  expect([first.status, first.location]).toEqual([303, '/sign-in?next=%2Fprogram%3Fq%3Da%2526b'])
  const form = await readPage(t, first.location ?? '')
  const [, action = ''] = /<form[^>]* action="(\/sign-in\?[^"]*)"/.exec(form.text) ?? []
  const token = await inviteAsParticipant(t, t.ana.participant)
  const path = action.replaceAll('&#38;', '&')
  // A code that does not work loses nothing.
  const failed = await submit(t, path, { token: 'smt_wrong' })
  expect([failed.status, (await failed.text()).includes(action)]).toEqual([403, true])
  const response = await submit(t, path, { token })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/program?q=a%26b'])
  const page = await readPage(t, '/program?q=a%26b', { cookie: cookieOf(response), ...ownPage })
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
})

test('somebody whose session has ended elsewhere is asked to sign in once, and goes on as a visitor otherwise', async () => {
  await using t = await startAppWithKeys('public')
  const { headers, client } = await signInAsParticipant(t, t.ana.participant)
  const browser = { ...ownPage, ...headers }
  expect((await readPage(t, '/program?q=a', browser)).status).toBe(200)
  await client.signOut({})
  // In a frame or after a link of another site, nothing is decided.
  const hop = await readPage(t, '/releases', { ...browser, 'sec-fetch-site': 'cross-site' })
  expect([hop.status, hop.headers.getSetCookie()]).toEqual([200, []])
  const ended = await readPage(t, '/releases', browser)
  expect([ended.status, ended.location]).toEqual([303, '/sign-in?next=%2Freleases'])
  expect(ended.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-summit=; .*Max-Age=0$/)])
  // Who has none keeps what else is in the browser.
  expect((await readPage(t, '/people', ownPage)).headers.getSetCookie()).toEqual([])
})

test('with a code by e-mail, too', async () => {
  await using t = await startAppWithMail()
  const page = await readPage(t, '/sign-in?next=%2Fplan')
  expect(page.text).toContain('action="/sign-in/email?next=%2Fplan"')
  const sent = await submit(t, '/sign-in/email?next=%2Fplan', { email: anasAddress })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/sign-in/code?next=%2Fplan'])
  const cookie = cookieOf(sent)
  const form = await readPage(t, '/sign-in/code?next=%2Fplan', { cookie })
  expect(form.text).toContain('action="/sign-in/code?next=%2Fplan"')
  const response = await submit(t, '/sign-in/code?next=%2Fplan', { code: await codeOf(t, 1) }, { cookie })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/plan'])
})

const members = setUpSharedAppWithKeys('members')

test.each([
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['\\\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n/evil.example/x', '/'],
  ['https://evil.example/', '/'],
  ['https:evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['evil.example', '/'],
  ['', '/'],
  [`/${'x'.repeat(1_001)}`, '/'],
  ['/.//evil.example', '/evil.example'],
  ['/x/..//evil.example', '/evil.example'],
  ['/plan\r\nset-cookie: a=b', '/planset-cookie:%20a=b'],
  ['/plan?x=%0d%0aset-cookie:a', '/plan?x=%0d%0aset-cookie:a'],
  ['/@evil.example', '/@evil.example'],
  ['/plan#x', '/plan'],
])('whoever signs in stays here, wherever %j would lead', async (next, location) => {
  const t = members()
  const path = `/sign-in?${new URLSearchParams({ next })}`
  const form = await readPage(t, path)
  const [, action = ''] = /<form[^>]* action="(\/sign-in(?:\?[^"]*)?)"/.exec(form.text) ?? []
  const token = await inviteAsParticipant(t, t.ana.participant)
  for (const target of [action.replaceAll('&#38;', '&'), path]) {
    const fresh = target === path ? await inviteAsParticipant(t, t.ana.participant) : token
    const response = await submit(t, target, { token: fresh })
    expect([response.status, response.headers.get('location')]).toEqual([303, location])
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect(new URL(location, publicUrl).origin).toBe(publicUrl)
  }
})

test.each(['cross-site', 'same-site'])(
  'a link of another site leads to the page, although browsers do not send a strict cookie with it: %s',
  async (site) => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsParticipant(t, t.ana.participant)
    const hop = await readPage(t, '/releases?from=0', { 'sec-fetch-site': site })
    expect(hop.status).toBe(200)
    expect(hop.text).toContain('<meta http-equiv="refresh" content="0">')
    expect(hop.text).not.toContain('<script')
    expect(hop.headers.get('cache-control')).toBe('no-store')
    expect(hop.headers.get('www-authenticate')).toBe(null)
    // The page has loaded itself again: a request of this site, which has the cookie, or nobody has signed in.
    const again = { 'sec-fetch-site': 'same-origin' }
    expect((await readPage(t, '/releases?from=0', { ...headers, ...again })).words).toContain('Nothing has changed')
    expect((await readPage(t, '/releases?from=0', again)).location).toBe('/sign-in?next=%2Freleases%3Ffrom%3D0')
    // The API is for programs.
    const api = await fetch(`${t.url}/api/program/schedule`, {
      headers: { 'sec-fetch-site': site, accept: 'text/html' },
    })
    expect(await api.json()).toMatchObject([{ response_code: 4010 }])
  },
)
