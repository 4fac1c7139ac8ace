import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { additionalNamesIn, examples, operationOf, reads, type SpecifiedExample, writes } from '../contract/examples.ts'
import { requestFor, send, type TestResponse } from '../contract/requests.ts'
import * as make from '../make.ts'
import {
  envelopeOf,
  eva,
  type Headers,
  newestChange,
  requestAs,
  startReopened,
  withHeaders,
} from './organizers-in-open.fixtures.ts'
import { appOrigin, originsOf } from './origins.ts'
import { cookieOf, inviteAsParticipant, ownPage, sendInvitation, signInAsOrganizer } from './sessions.ts'

describe('where ACCESS is open', () => {
  let s: Awaited<ReturnType<typeof startReopened>>

  beforeAll(async () => {
    s = await startReopened()
  })

  afterAll(() => s[Symbol.asyncDispose]())

  const additional = additionalNamesIn('open')

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
})
