import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { startOtherServer, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { publicUrl, startAppWithKeys } from './app-with-keys.ts'
import { post, type Response, reasonOf, register, signIn, start, startWithPasskey, withCookies } from './passkeys.ts'
import { ownPage, signInAsOrganizer, signInAsParticipant } from './sessions.ts'
import { createAuthenticator, type Deviation } from './software-authenticator.ts'

const minute = 60_000
const eva = 'eva@summit.example'
const mo = 'mo@summit.example'

const toMe = '/api/me/passkeys'
const toSignIn = '/api/sign-in/passkey'

/** Everything that a sign-in could change. */
const readState = ({ ctx }: TestApp) =>
  Promise.all(
    (['passkey', 'passkey_challenge', 'credential', 'change'] as const).map((table) =>
      ctx.database.read.selectFrom(table).selectAll().execute(),
    ),
  )

test('an organizer adds a passkey and signs in with it, without a name, as themselves', async () => {
  await using t = await startWithPasskey()
  const passkey = { id: '1', label: 'Laptop', created_at: '2030-05-01 09:00:00', used_at: '0000-00-00 00:00:00' }
  expect(t.registered.data).toEqual({ passkey })
  t.advance(minute)
  const signedIn = await signIn(t.url, t.authenticator)
  expect(signedIn.data).toMatchObject({ me: { organizer: { id: '1', email: eva }, roles: ['owner'] } })
  const [session = '', challenge] = signedIn.headers.getSetCookie().toReversed()
  expect(session).toMatch(/^__Host-summit=smt_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$/)
  expect(challenge).toBe('__Host-summit-passkey=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0')
  const client = createClient(t.url, { headers: { cookie: session.split(';')[0] ?? '' } })
  const { passkeys } = await client.listCredentials({})
  expect(passkeys).toEqual([{ ...passkey, used_at: '2030-05-01 09:01:00' }])
})

test('the options ask for user verification and a passkey that names its owner, at the host of PUBLIC_URL', async () => {
  await using t = await startWithPasskey()
  const { options } = await start(t.url, toMe, t.session.headers)
  expect(options).toMatchObject({
    rp: { id: 'summit.example' },
    user: { name: eva },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [{ id: t.authenticator.id, transports: ['internal'] }],
  })
  const request = await start(t.url, toSignIn, { host: 'attacker.example' })
  expect(request.options).toMatchObject({ rpId: 'summit.example', userVerification: 'required' })
  expect(request.options).not.toHaveProperty('allowCredentials')
})

describe('what does not come from the browser that was asked is refused, and nothing changes:', () => {
  let t: Awaited<ReturnType<typeof startWithPasskey>>
  beforeAll(async () => {
    t = await startWithPasskey()
    await signInAsOrganizer(t, mo, ['desk'])
    expect((await signIn(t.url, t.authenticator)).response_code).toBe(1000)
  })
  afterAll(() => t[Symbol.asyncDispose]())

  test.each<[string, Deviation]>([
    ['without user verification', { isUserVerified: false }],
    ['of a page of another origin', { origin: 'https://attacker.example' }],
    ['of a page of another port', { origin: `${publicUrl}:8443` }],
    ['for another host', { rpId: 'attacker.example' }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['of a sign-in', { type: 'webauthn.get' }],
    // To check it, the package would connect to a server that the certificate names.
    ['with a certificate of its device', { attestation: 'certificate' }],
  ])('a new passkey %s', async (_, deviation) => {
    const { options, headers } = await start(t.url, toMe, t.session.headers)
    const before = await readState(t)
    const body = { label: 'Laptop', ...createAuthenticator(publicUrl).register(options, deviation) }
    expect(reasonOf(await post(t.url, toMe, body, headers))).toBe('PASSKEY_INVALID')
    expect(await readState(t)).toEqual(before)
  })

  test.each<[string, Deviation]>([
    ['without user verification', { isUserVerified: false }],
    ['on a page of another origin', { origin: 'https://attacker.example' }],
    ['on a page without TLS', { origin: 'http://summit.example' }],
    ['for another host', { rpId: 'attacker.example' }],
    ['with another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['with a response for adding one', { type: 'webauthn.create' }],
    ['with a counter that went back', { counter: 0 }],
    ['with the same counter again', { counter: 1 }],
    ['in the name of another organizer', { user_handle: Buffer.from('organizer 2').toString('base64url') }],
    ['in the name of nobody', { user_handle: '' }],
    ['with an unknown passkey', { id: Buffer.alloc(16).toString('base64url') }],
    ['with a wrong signature', { signature: Buffer.alloc(70) }],
    ['without a signature', { signature: Buffer.alloc(0) }],
  ])('a sign-in %s', async (_, deviation) => {
    const { options, headers } = await start(t.url, toSignIn)
    const before = await readState(t)
    const refused = await post(t.url, toSignIn, t.authenticator.signIn(options, deviation), headers)
    expect(reasonOf(refused)).toBe('PASSKEY_INVALID')
    expect(refused.headers.getSetCookie()).toEqual([])
    expect(await readState(t)).toEqual(before)
  })
})

test('a sign-in with the passkey id of another organizer is refused: the key is theirs', async () => {
  await using t = await startWithPasskey()
  const other = createAuthenticator(publicUrl)
  await register(t, await signInAsOrganizer(t, mo, ['desk']), other)
  const user_handle = Buffer.from('organizer 1').toString('base64url')
  expect(reasonOf(await signIn(t.url, other, { id: t.authenticator.id, user_handle }))).toBe('PASSKEY_INVALID')
  expect(reasonOf(await signIn(t.url, other, { user_handle }))).toBe('PASSKEY_INVALID')
  expect((await signIn(t.url, other)).data).toMatchObject({ me: { organizer: { email: mo } } })
})

test('a challenge ends after 10 minutes, and is for the browser that has asked for it', async () => {
  await using t = await startWithPasskey()
  const { options, headers } = await start(t.url, toSignIn)
  const another = await start(t.url, toSignIn)
  const response = t.authenticator.signIn(options)
  expect(reasonOf(await post(t.url, toSignIn, response, {}))).toBe('PASSKEY_INVALID')
  expect(reasonOf(await post(t.url, toSignIn, response, another.headers))).toBe('PASSKEY_INVALID')
  t.advance(10 * minute - 1)
  expect((await post(t.url, toSignIn, response, headers)).response_code).toBe(1000)
  t.advance(1)
  const late = t.authenticator.signIn(another.options)
  expect(reasonOf(await post(t.url, toSignIn, late, another.headers))).toBe('PASSKEY_INVALID')
})

test('a request for a challenge waits for no write', async () => {
  await using t = await startWithPasskey()
  const held = Promise.withResolvers<void>()
  const writing = t.ctx.database.transaction(() => held.promise)
  const request = await start(t.url, toSignIn)
  await start(t.url, toMe, t.session.headers)
  held.resolve()
  await writing
  const response = await post(t.url, toSignIn, t.authenticator.signIn(request.options), request.headers)
  expect(response.response_code).toBe(1000)
})

test('a challenge is stored once it is used, until it would have expired; asking for one stores nothing', async () => {
  await using t = await startWithPasskey()
  const readChallenges = () => t.ctx.database.read.selectFrom('passkey_challenge').selectAll().execute()
  const [added] = await readChallenges()
  for (let nth = 0; nth < 5; nth++) await start(t.url, toSignIn)
  await start(t.url, toMe, t.session.headers)
  expect(await readChallenges()).toEqual([added])
  t.advance(10 * minute)
  await signIn(t.url, t.authenticator)
  const used = await readChallenges()
  expect(used).toHaveLength(1)
  expect(used).not.toContainEqual(added)
})

test('a challenge that somebody made for themselves, or made last longer, is refused', async () => {
  await using t = await startWithPasskey()
  const { options, headers } = await start(t.url, toSignIn)
  const [, secret = '', expiresAt = '', signature = ''] =
    /__Host-summit-passkey=(smt_[\w-]{43})\.(\d+)\.([\w-]{43})$/.exec(headers.cookie ?? '') ?? []
  const own = `smt_${'A'.repeat(43)}`
  const challengeOf = (text: string) => createHmac('sha256', text).update('webauthn').digest('base64url')
  expect((options as { challenge: string }).challenge).toBe(challengeOf(secret))
  for (const [used, value] of [
    [own, own],
    [own, [own, expiresAt, signature].join('.')],
    [secret, secret],
    [secret, [secret, Number(expiresAt) + minute, signature].join('.')],
    [secret, [secret, expiresAt, `${signature.slice(0, -4)}AAAA`].join('.')],
    [secret, [secret, expiresAt, signature, 'x'].join('.')],
  ] as const) {
    const response = t.authenticator.signIn(options, { challenge: challengeOf(used) })
    const refused = await post(t.url, toSignIn, response, { cookie: `__Host-summit-passkey=${value}` })
    expect(reasonOf(refused), value).toBe('PASSKEY_INVALID')
  }
  expect((await post(t.url, toSignIn, t.authenticator.signIn(options), headers)).response_code).toBe(1000)
})

test('a retried sign-in starts the session again, on any server, and ends the one before', async () => {
  await using t = await startWithPasskey()
  await using other = await startOtherServer(t)
  const { options, headers } = await start(t.url, toSignIn)
  const response = t.authenticator.signIn(options)
  const send = (url: string, key: string) => post(url, toSignIn, response, { ...headers, 'idempotency-key': key })
  const [first, second] = [await send(t.url, 'once'), await send(other.url, 'once')]
  expect([first.response_code, second.response_code]).toEqual([1000, 1000])
  expect(second.data).toEqual(first.data)
  expect(reasonOf(await send(t.url, 'twice'))).toBe('PASSKEY_INVALID')
  const codeWith = (signedIn: Response) => {
    const client = createClient(t.url, { headers: { ...ownPage, ...withCookies({}, signedIn) } })
    return make.codeOf(client.call('getMe', {}))
  }
  expect([await codeWith(first), await codeWith(second)]).toEqual([4010, 1000])
  // It is still known with which passkey the session was started.
  const own = createClient(t.url, { headers: { ...ownPage, ...withCookies({}, second) } })
  await own.removePasskey({ passkey_id: 1, end_sessions: 1 })
  expect(await codeWith(second)).toBe(4010)
  expect(reasonOf(await send(t.url, 'once'))).toBe('PASSKEY_INVALID')
})

test('a sign-in a minute later with the same key, or after the session was ended, is no retry', async () => {
  await using t = await startWithPasskey()
  const { options, headers } = await start(t.url, toSignIn)
  const response = t.authenticator.signIn(options)
  const send = () => post(t.url, toSignIn, response, { ...headers, 'idempotency-key': 'once' })
  expect((await send()).response_code).toBe(1000)
  t.advance(minute)
  expect(reasonOf(await send())).toBe('PASSKEY_INVALID')

  const next = await start(t.url, toSignIn)
  const again = t.authenticator.signIn(next.options)
  const sendNext = () => post(t.url, toSignIn, again, { ...next.headers, 'idempotency-key': 'again' })
  const signedIn = await sendNext()
  await createClient(t.url, { headers: { ...ownPage, ...withCookies({}, signedIn) } }).signOut({})
  expect(reasonOf(await sendNext())).toBe('PASSKEY_INVALID')
})

test('a participant, a key, and a visitor add no passkey', async () => {
  await using t = await startAppWithKeys('members')
  const participant = await signInAsParticipant(t, t.ana.participant)
  for (const { headers } of [participant, t.owner]) {
    const refused = await post(t.url, `${toMe}/start`, {}, headers)
    expect([reasonOf(refused), refused.headers.getSetCookie()]).toEqual(['FORBIDDEN', []])
  }
  expect(reasonOf(await post(t.url, `${toMe}/start`, {}, {}))).toBe('UNAUTHENTICATED')
})

test('a removed passkey signs nobody in, on any server; its sessions go on unless asked', async () => {
  await using t = await startWithPasskey()
  await using other = await startOtherServer(t)
  const sessionOf = (response: Response) =>
    createClient(other.url, { headers: { ...ownPage, ...withCookies({}, response) } })
  const signedIn = sessionOf(await signIn(t.url, t.authenticator))
  await t.session.client.removePasskey({ passkey_id: 1 })
  expect(reasonOf(await signIn(other.url, t.authenticator))).toBe('PASSKEY_INVALID')
  expect(await make.codeOf(signedIn.call('getMe', {}))).toBe(1000)

  const second = createAuthenticator(publicUrl)
  await register(t, t.session, second)
  const [third, own] = [sessionOf(await signIn(t.url, second)), sessionOf(await signIn(t.url, second))]
  const removed = await own.call('removePasskey', { passkey_id: 2, end_sessions: 1 })
  expect(removed.headers.get('set-cookie')).toContain('__Host-summit=; ')
  const sessions = [third, own, signedIn, t.session.client]
  expect(await Promise.all(sessions.map((client) => make.codeOf(client.call('getMe', {}))))).toEqual([
    4010, 4010, 1000, 1000,
  ])
  const kinds = await t.ctx.database.read
    .selectFrom('change')
    .select('kind')
    .where('kind', 'like', 'passkey.%')
    .orderBy('id')
    .execute()
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'passkey.created',
    'passkey.removed',
    'passkey.created',
    'passkey.removed',
  ])
})
