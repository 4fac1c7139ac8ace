import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationsIn } from '../../src/contract/index.ts'
import { additionalNamesIn, examples, names, operationOf, success } from '../contract/examples.ts'
import { send } from '../contract/requests.ts'
import * as make from '../make.ts'
import { isAmong } from './declare-matrix-tests.ts'
import { envelopeOf, eva, newestChange, requestAs, startReopened } from './organizers-in-open.fixtures.ts'
import { inviteAsOrganizer, ownPage, signInAsOrganizer, signInWith } from './sessions.ts'

// Where `ACCESS` is `open`, organizers sign in, and nobody else: operations of the interface specification ignore every
// credential, and all others ask for that of an organizer.

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
