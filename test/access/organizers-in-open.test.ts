import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/access.ts'
import { operationsIn } from '../../src/contract/index.ts'
import { startOtherServer, type TestApp } from '../app.ts'
import { storeLogo, storePhoto } from '../contract/example-app.ts'
import {
  additionalNamesIn,
  examples,
  names,
  operationOf,
  reads,
  type SpecifiedExample,
  success,
  writes,
} from '../contract/examples.ts'
import { requestFor, requestOf, send, type TestRequest, type TestResponse } from '../contract/requests.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { isAmong } from './declare-matrix-tests.ts'
import { appOrigin, originsOf } from './origins.ts'
import {
  cookieOf,
  inviteAsOrganizer,
  inviteAsParticipant,
  ownPage,
  sendInvitation,
  signInAsOrganizer,
  signInAsParticipant,
  signInWith,
} from './sessions.ts'

// Where `ACCESS` is `open`, organizers sign in, and nobody else: operations of the interface specification ignore every
// credential, and all others ask for that of an organizer.

const eva = 'eva@summit.example'

type Headers = Record<string, string>

interface Sender {
  headers: Headers
  roles: readonly Role[]
}

/** A summit whose people have signed in and got keys before its `ACCESS` was `open`. */
async function startReopened() {
  const t = await startAppWithKeys('members')
  await make.event(t, { speaker: 'Ana Cruz' })
  const { participant } = t.ben
  await t.owner.client.updateParticipant({ participantId: participant, photo: await storePhoto(t, participant) })
  await storeLogo(t)
  const file = { name: 'pixel.png', data: 'R3LD' }
  await t.ana.client.createTopic({ name: 'A topic', created_by: t.ana.participant, uploaded_files: [file] })
  await t.ana.client.createComment({ topic_id: 1, comment: 'A comment', created_by: t.ana.participant })
  const server = await startOtherServer(t, { access: 'open', publicUrl: undefined })
  const open: AppWithKeys = { ...t, ...server, settings: t.settings }
  const both = { ...(await t.issueKey({ participant: t.ana.participant, roles: ['reader'] })) }
  const ended = await t.issueKey({ roles: ['owner'] })
  await t.revoke(ended)
  const forged = `smt_${'A'.repeat(43)}`
  const nobodys: Record<string, Headers> = {
    'without a credential': {},
    'with a key of a participant': t.ana.headers,
    'with a session of a participant': (await signInAsParticipant(t, t.ana.participant)).headers,
    'with the secret of a secret URL as a key': {
      authorization: `Bearer ${(await t.issuePersonalUrl(t.ana.participant)).prefix.slice('/k/'.length)}`,
    },
    'with the secret of an app as a key': {
      authorization: `Bearer ${(await t.issueAppUrl('change')).prefix.slice('/k/'.length)}`,
    },
    'with a revoked key': ended.headers,
    'with a forged key': { authorization: `Bearer ${forged}` },
    'with an empty key': { authorization: 'Bearer' },
    'with a forged session': { cookie: `__Host-summit=${forged}`, ...ownPage },
    'with the secret of a key as a session': {
      cookie: `__Host-summit=${t.owner.headers.authorization?.slice('Bearer '.length)}`,
      ...ownPage,
    },
    'with two credentials': {
      ...(await signInAsOrganizer(t, 'two@summit.example', ['owner'])).headers,
      ...t.owner.headers,
    },
  }
  const organizers: Record<string, Sender> = {
    'a participant who is reader': both,
    ...Object.fromEntries(
      await Promise.all(
        (['owner', 'editor', 'desk'] as const).map(async (role) => [
          `an organizer who is ${role}`,
          await t.issueKey({ roles: [role] }),
        ]),
      ),
    ),
  }
  for (const role of ['owner', 'desk'] as const)
    organizers[`an organizer who is ${role}, in a browser`] = {
      ...(await signInAsOrganizer(t, `${role}@summit.example`, [role])),
      roles: [role],
    }
  return {
    open,
    members: t,
    nobodys,
    organizers,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    },
  }
}

const withHeaders = (request: TestRequest, headers: Headers): TestRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

const requestAs = (name: ReturnType<typeof additionalNamesIn>[number], headers: Headers) =>
  withHeaders(requestOf(name, examples[name]), headers)

const envelopeOf = ({ bytes }: TestResponse) => JSON.parse(bytes.toString())[0]

const newestChange = async ({ ctx }: Pick<TestApp, 'ctx'>) =>
  ctx.database.read.selectFrom('change').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

describe('where ACCESS is open', () => {
  let s: Awaited<ReturnType<typeof startReopened>>
  beforeAll(async () => {
    s = await startReopened()
  })
  afterAll(() => s[Symbol.asyncDispose]())

  const additional = additionalNamesIn('open')
  const identified = additional.filter((name) => !('signIn' in operationOf(name).access))

  test.each(identified)('%s gets 4010 without a credential, or with one that is not an organizer’s', async (name) => {
    const before = await newestChange(s.open)
    for (const [how, headers] of Object.entries(s.nobodys))
      for (const method of [operationOf(name).method, ...(operationOf(name).method === 'GET' ? ['HEAD'] : [])]) {
        const accept = method === 'HEAD' ? { accept: 'application/problem+json' } : {}
        const response = await send(s.open, { ...requestAs(name, { ...ownPage, ...headers, ...accept }), method })
        if (method === 'HEAD') expect(response.status, how).toBe(401)
        else
          expect(envelopeOf(response), how).toMatchObject({ response_code: 4010, data: { reason: 'UNAUTHENTICATED' } })
        expect(response.header('vary'), how).toEqual(['Accept, Authorization, Cookie'])
        expect(response.header('cache-control'), how).toEqual(['no-store'])
      }
    expect(await newestChange(s.open)).toEqual(before)
  })

  test.each(additional)('%s is for the organizers whom its access names', async (name) => {
    const { access } = operationOf(name)
    const { outcome } = examples[name]
    for (const [who, { headers, roles }] of Object.entries(s.organizers)) {
      const isInBrowser = 'cookie' in headers
      // It would end the session.
      if (name === 'signOut' && isInBrowser) continue
      const mayUse =
        ('signIn' in access && isInBrowser) ||
        ('own' in access && (!access.session || isInBrowser)) ||
        ('organizers' in access && isAmong(roles, access.organizers))
      const response = await send(s.open, requestAs(name, headers))
      const { response_code, data } = envelopeOf(response)
      expect(response_code < 4000 ? success : data.reason, who).toBe(mayUse ? outcome : 'FORBIDDEN')
      if (response_code < 4000) expect(response.header('cache-control'), who).toEqual(['private, no-store'])
      expect(response.header('x-content-type-options')).toEqual(['nosniff'])
      expect(response.header('strict-transport-security')).toEqual([])
    }
  })

  const absent = additionalNamesIn('members').filter((name) => !additional.includes(name))

  test('nothing about participants who sign in is there, for nobody', async () => {
    expect(absent).toContain('requestSignInCode')
    for (const name of absent)
      for (const headers of [{}, s.members.ana.headers, s.members.owner.headers])
        expect(['NO_SUCH_ROUTE', 'METHOD_NOT_ALLOWED'], name).toContain(
          envelopeOf(await send(s.open, requestAs(name, headers))).data.reason,
        )
  })

  test('there are no secret URLs', async () => {
    for (const { prefix } of [
      await s.members.issuePersonalUrl(s.members.ana.participant),
      await s.members.issueAppUrl(),
    ])
      for (const path of ['/api/me', '/api/newsfeeds/topics/0/1']) {
        const response = await send(s.open, { method: 'GET', path: prefix + path })
        expect([response.status, JSON.parse(response.bytes.toString()).reason]).toEqual([404, 'NO_SUCH_ROUTE'])
      }
  })

  const headerNames = [
    ...['vary', 'content-type', 'content-length', 'cache-control', 'set-cookie', 'etag', 'www-authenticate'],
    ...['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security'],
  ]
  const partsOf = (response: TestResponse) => ({
    status: response.status,
    headers: headerNames.map((name) => response.header(name)),
    bytes: response.bytes.toString('latin1'),
  })

  test.each(reads)('%s has the same bytes and headers with any credential', async (name) => {
    const request = requestFor(name)
    const expected = partsOf(await send(s.open, request))
    expect(expected.headers[0]).toEqual(['Accept'])
    for (const headers of [...Object.values(s.nobodys), ...Object.values(s.organizers).map(({ headers }) => headers)])
      expect(partsOf(await send(s.open, withHeaders(request, headers)))).toEqual(expected)
  })

  test.each(writes)('%s has the same headers and outcome with any credential, and the log names none', async (name) => {
    const { body = {} }: SpecifiedExample = examples[name]
    const request = requestFor(name, { params: { topic_id: 404, comment_id: 404, file_Id: 404 }, body })
    const outcomeOf = async (headers: Headers) => {
      const response = await send(s.open, withHeaders(request, headers))
      const { response_code } = envelopeOf(response)
      if (response_code < 4000) expect((await newestChange(s.open)).credential_id).toBe(0)
      return [response_code, ...headerNames.filter((other) => other !== 'content-length').map(response.header)]
    }
    const expected = await outcomeOf({})
    expect(expected).toEqual(expect.arrayContaining([['Accept']]))
    // A browser says that it sends the request for a page of ours, so it is none of another.
    for (const headers of [...Object.values(s.nobodys), ...Object.values(s.organizers).map(({ headers }) => headers)])
      expect(await outcomeOf(headers)).toEqual(expected)
  })

  test('with a cookie, pages of other origins write no more, and clients that are no page no less', async () => {
    const { headers } = await signInAsOrganizer(s.members, eva, ['owner'])
    const cookie = headers.cookie ?? ''
    const { url } = s.open
    const foreign = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const body = '{"name":"Hello","created_by":1}'
    expect((await make.send({ url }, 'POST', '/api/newsfeeds/topics/create', body, foreign)).response_code).toBe(4030)
    const withoutOrigin = await make.send({ url }, 'POST', '/api/newsfeeds/topics/create', body, { cookie })
    expect(withoutOrigin.response_code).toBe(1000)
  })

  test.each(additional.filter((name) => operationOf(name).method !== 'GET'))(
    '%s with a session, or to sign in, is for pages of ours only',
    async (name) => {
      const { headers } = await signInAsOrganizer(s.members, eva, ['owner'])
      const base = `http://localhost:${new URL(s.open.url).port}`
      const before = await newestChange(s.open)
      for (const { from, headers: origin, isOurs } of originsOf(base)) {
        if (isOurs) continue
        const response = await send(s.open, requestAs(name, { cookie: headers.cookie ?? '', ...origin }))
        expect(envelopeOf(response), from).toMatchObject({ response_code: 4030, data: { reason: 'CROSS_ORIGIN' } })
        expect(response.header('set-cookie')).toEqual([])
      }
      const withoutOrigin = await send(s.open, requestAs(name, { cookie: headers.cookie ?? '' }))
      expect(envelopeOf(withoutOrigin).data.reason).toBe('CROSS_ORIGIN')
      expect(await newestChange(s.open)).toEqual(before)
    },
  )

  test('nor may a page that CORS_ORIGINS allows use a session, or sign in', async () => {
    const settings = { access: 'open', publicUrl: undefined, corsOrigins: new Set([appOrigin]) } as const
    await using server = await startOtherServer(s.members, settings)
    const { headers } = await signInAsOrganizer(s.members, eva, ['owner'])
    const ofApp = { cookie: headers.cookie ?? '', origin: appOrigin, 'sec-fetch-site': 'cross-site' }
    for (const name of additional.filter((other) => operationOf(other).method !== 'GET')) {
      const response = await send({ ...s.open, ...server }, requestAs(name, ofApp))
      expect([name, envelopeOf(response).data.reason]).toEqual([name, 'CROSS_ORIGIN'])
    }
    // Without this header, a browser hides the response to a request with a cookie.
    const read = await send({ ...s.open, ...server }, requestAs('listOrganizers', ofApp))
    expect(read.header('access-control-allow-credentials')).toEqual([])
    // A specified write of that page is allowed, as it is without a cookie.
    const body = '{"name":"Hello","created_by":1}'
    const written = await make.send(server, 'POST', '/api/newsfeeds/topics/create', body, ofApp)
    expect(written.response_code).toBe(1000)
  })

  test('an Idempotency-Key of an organizer belongs to nobody else, with any credential or none', async () => {
    const key = { 'idempotency-key': 'once', 'content-type': 'application/json' }
    const invite = (headers: Headers) => {
      const body = JSON.stringify({ email: 'mo@summit.example', roles: 'reader' })
      return make.send(s.open, 'POST', '/api/organizers/invite', body, { ...headers, ...key })
    }
    expect((await invite(s.members.owner.headers)).response_code).toBe(1000)
    for (const [how, headers] of Object.entries(s.nobodys))
      expect((await invite({ ...headers, ...ownPage })).response_code, how).toBe(4010)
    const again = await invite(s.members.owner.headers)
    expect(again.data).toMatchObject({ invitation: { link: '' } })
    // Nor is it that of a write that anyone sends.
    const body = '{"name":"Hello","created_by":1}'
    const topic = await make.send(s.open, 'POST', '/api/newsfeeds/topics/create', body, {
      ...s.members.owner.headers,
      ...key,
    })
    expect([topic.response_code, topic.headers.get('idempotency-replayed')]).toEqual([1000, null])
  })

  test('an invitation of a participant signs nobody in, and still works where participants sign in', async () => {
    const token = await inviteAsParticipant(s.members, s.members.ben.participant)
    const refused = await sendInvitation(s.open.url, token)
    expect([refused.data, refused.headers.get('set-cookie')]).toEqual([
      expect.objectContaining({ reason: 'INVITATION_INVALID' }),
      null,
    ])
    const first = await sendInvitation(s.members.url, token, { 'idempotency-key': 'once' })
    expect(first.response_code).toBe(1000)
    // It would be a retry there.
    expect((await sendInvitation(s.open.url, token, { 'idempotency-key': 'once' })).response_code).toBe(4031)
    const { data } = await make.send(s.members, 'GET', '/api/me', undefined, { cookie: cookieOf(first) })
    expect(data).toMatchObject({ me: { participant: { id: String(s.members.ben.participant) } } })
  })

  test('a role that is taken away, a removed organizer and an ended session take effect at once', async () => {
    const { url } = s.open
    const desk = await signInWith(url, await inviteAsOrganizer(s.open, 'ed@summit.example', ['owner']))
    const list = () => make.codeOf(desk.client.call('listOrganizers', {}))
    expect(await list()).toBe(1000)
    await inviteAsOrganizer(s.open, 'ed@summit.example', ['reader'])
    expect(await list()).toBe(4030)
    const { organizers } = await s.members.owner.client.listOrganizers({})
    const id = organizers.find(({ email }) => email === 'ed@summit.example')?.id
    await s.members.owner.client.removeOrganizer({ organizer_id: Number(id) })
    expect(await list()).toBe(4010)
  })

  test('every operation exists in a mode with open, or is about participants who sign in', () => {
    expect([...names, ...additional, ...absent].sort()).toEqual(
      operationsIn('members')
        .map(([name]) => name)
        .sort(),
    )
  })
})
