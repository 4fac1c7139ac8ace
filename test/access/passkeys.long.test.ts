import { expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { post, reasonOf, register, signIn, start, startWithPasskey } from './passkeys.ts'
import { inviteAsOrganizer, signInAsOrganizer, signInWith } from './sessions.ts'
import { createAuthenticator } from './software-authenticator.ts'

const eva = 'eva@summit.example'
const mo = 'mo@summit.example'

const toMe = '/api/me/passkeys'
const toSignIn = '/api/sign-in/passkey'

test('a device may sign with the passkey itself that it is genuine', async () => {
  await using t = await startWithPasskey()
  const registered = await register(t, t.session, createAuthenticator(publicUrl), { attestation: 'own key' })
  expect(registered.response_code).toBe(1000)
})

test('nobody registers the id of a passkey of another organizer', async () => {
  await using t = await startWithPasskey()
  const other = await signInAsOrganizer(t, mo, ['desk'])
  const imitation = createAuthenticator(publicUrl, Buffer.from(t.authenticator.id, 'base64url'))
  expect(reasonOf(await register(t, other, imitation))).toBe('PASSKEY_INVALID')
  expect((await signIn(t.url, t.authenticator)).data).toMatchObject({ me: { organizer: { email: eva } } })
})

test('of 20 sign-ins with one response at once, on two servers, one starts a session, and none does later', async () => {
  await using t = await startWithPasskey()
  await using other = await startOtherServer(t)
  const { options, headers } = await start(t.url, toSignIn)
  // A passkey that is synchronized between devices does not count.
  await t.ctx.database.transaction((db) => db.updateTable('passkey').set({ counter: 0 }).execute())
  const response = t.authenticator.signIn(options, { counter: 0 })
  const send = (nth: number) => post([t, other][nth % 2]?.url ?? '', toSignIn, response, headers)
  const responses = await Promise.all(Array.from({ length: 20 }, (_, nth) => send(nth)))
  expect(responses.filter(({ response_code }) => response_code === 1000)).toHaveLength(1)
  expect(new Set(responses.map(reasonOf))).toEqual(new Set([undefined, 'PASSKEY_INVALID']))
  expect(reasonOf(await send(0))).toBe('PASSKEY_INVALID')
})

test('of 10 sign-ins at once with the same counter, as of a copied device, one succeeds', async () => {
  await using t = await startWithPasskey()
  const browsers = await Promise.all(Array.from({ length: 10 }, () => start(t.url, toSignIn)))
  const responses = await Promise.all(
    browsers.map(({ options, headers }) =>
      post(t.url, toSignIn, t.authenticator.signIn(options, { counter: 7 }), headers),
    ),
  )
  expect(responses.filter(({ response_code }) => response_code === 1000)).toHaveLength(1)
})

test('a challenge for a sign-in adds no passkey, nor does one of another organizer', async () => {
  await using t = await startWithPasskey()
  const other = await signInAsOrganizer(t, mo, ['desk'])
  const { options } = await start(t.url, toMe, other.headers)
  for (const [path, headers] of [
    [toSignIn, {}],
    [toMe, other.headers],
  ] as const) {
    const begun = await start(t.url, path, headers)
    const [, challengeCookie] = /(__Host-summit-passkey=[^;]+)/.exec(begun.headers.cookie ?? '') ?? []
    const { challenge } = begun.options as { challenge: string }
    const body = { label: 'Laptop', ...createAuthenticator(publicUrl).register(options, { challenge }) }
    const cookie = `${t.session.headers.cookie}; ${challengeCookie}`
    expect(reasonOf(await post(t.url, toMe, body, { cookie }))).toBe('PASSKEY_INVALID')
  }
  expect((await t.session.client.listCredentials({})).passkeys).toHaveLength(1)
})

test('an organizer removes no passkey of another', async () => {
  await using t = await startWithPasskey()
  const other = await signInAsOrganizer(t, mo, ['owner'])
  expect(await make.codeOf(other.client.call('removePasskey', { passkey_id: 1, end_sessions: 1 }))).toBe(4040)
  expect((await other.client.listCredentials({})).passkeys).toEqual([])
  expect((await signIn(t.url, t.authenticator)).response_code).toBe(1000)
})

test('the passkeys of a removed organizer are gone, also once they are invited again', async () => {
  await using t = await startWithPasskey()
  const owner = await signInAsOrganizer(t, mo, ['owner'])
  const { options, headers } = await start(t.url, toSignIn)
  await owner.client.removeOrganizer({ organizer_id: 1 })
  expect(reasonOf(await post(t.url, toSignIn, t.authenticator.signIn(options), headers))).toBe('PASSKEY_INVALID')
  const again = await signInWith(t.url, await inviteAsOrganizer(t, eva, ['owner']))
  expect((await again.client.listCredentials({})).passkeys).toEqual([])
  expect(reasonOf(await signIn(t.url, t.authenticator))).toBe('PASSKEY_INVALID')
})
