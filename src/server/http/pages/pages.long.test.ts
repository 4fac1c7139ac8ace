import { describe, expect, test } from 'vitest'
import { publicUrl, startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import {
  cookieOf,
  inviteAsOrganizer,
  signInAsOrganizer,
  signInAsParticipant,
} from '../../../../test/access/sessions.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { freePort } from '../../../../test/free-port.ts'
import type { OrganizerId } from '../../core/ids.ts'
import { deleteIdentityOf, insertIdentity } from '../../domains/organizers/store.ts'
import { eva, type Headers, read, setupToken, submit } from './pages.fixtures.ts'

/** Nobody listens at port 1. */
const provider = { OIDC_ISSUER: 'https://127.0.0.1:1', OIDC_CLIENT_ID: 'summit', OIDC_CLIENT_SECRET: 'secret' }

describe('the page /sign-in', () => {
  test('has the limits and encodings of the API', async () => {
    await using t = await startAppWithKeys('members', { MAX_JSON_BYTES: '1024' })
    expect((await submit(t, '/sign-in', { token: 'x'.repeat(2_000) })).status).toBe(413)
    expect((await submit(t, '/sign-in', { token: 'x' }, { 'content-type': 'text/plain' })).status).toBe(415)
    const missing = await submit(t, '/sign-in')
    expect([missing.status, await missing.text()]).toEqual([422, expect.stringContaining('token is required.')])
  })
})

describe('the page /me', () => {
  test('warns the only owner who could not sign in again, until there is a way', async () => {
    await using t = await startAppWithKeys('members', provider)
    const warning = 'You are the only owner'
    const page = async ({ headers }: { headers: Headers }) => (await read(t, '/me', headers)).text()
    const owner = await signInAsOrganizer(t, eva, ['owner'])
    const desk = await signInAsOrganizer(t, 'desk@summit.example', ['desk'])
    expect(await page(owner)).toMatch(new RegExp(`${warning}.*Sign out anyway`, 's'))
    expect(await page(owner)).toContain(`<code>npm run summit -- organizer invite ${eva} --role owner</code>`)
    for (const other of [desk, await signInAsParticipant(t, t.ana.participant)])
      expect(await page(other)).not.toContain(warning)

    const passkey = { webauthn_id: 'x', public_key: 'x', counter: 0, transports: '', label: 'x', created_at: 1 }
    const identity = { issuer: 'https://login.example', subject: 'x', connected_at: 1 }
    const organizer_id = 1 as OrganizerId
    await t.ctx.database.transaction((db) =>
      db
        .insertInto('passkey')
        .values({ ...passkey, organizer_id })
        .execute(),
    )
    expect(await page(owner)).not.toContain(warning)
    await t.ctx.database.transaction((db) => db.deleteFrom('passkey').execute())
    expect(await page(owner)).toContain(warning)
    await t.ctx.database.transaction((db) => insertIdentity(db, { ...identity, organizer_id }))
    expect(await page(owner)).not.toContain(warning)
    await t.ctx.database.transaction((db) => deleteIdentityOf(db, organizer_id))

    const token = await inviteAsOrganizer(t, 'mo@summit.example', ['owner'])
    expect(await page(owner)).toContain(warning)
    await submit(t, '/sign-in', { token })
    expect(await page(owner)).not.toContain(warning)
  })

  test('offers no account where no provider is set, and warns the only owner who has connected one before', async () => {
    await using t = await startAppWithKeys('members')
    const owner = await signInAsOrganizer(t, eva, ['owner'])
    const identity = { issuer: 'https://login.example', subject: 'x', connected_at: 1 }
    await t.ctx.database.transaction((db) => insertIdentity(db, { ...identity, organizer_id: 1 as OrganizerId }))
    const page = await (await read(t, '/me', owner.headers)).text()
    expect(page).toContain('You are the only owner')
    expect(page.replace(/<[^>]*>/g, '')).not.toMatch(/account/i)
    await using other = await startAppWithKeys('members', provider)
    const { headers } = await signInAsOrganizer(other, eva, ['owner'])
    const withProvider = await (await read(other, '/me', headers)).text()
    for (const text of ['action="/sign-in/oidc/connect"', ' and no connected account ', ' or connect an account\n'])
      expect(withProvider).toContain(text)
  })

  test('names the time zone of its times', async () => {
    await using t = await startAppWithKeys('members', { TIMEZONE: 'America/New_York' })
    const { headers } = await signInAsOrganizer(t, eva, ['owner'])
    const page = await (await read(t, '/me', headers)).text()
    expect(page).toContain('Since 2030-05-01 05:00')
    expect(page).toContain('Times are in the time zone America/New_York.')
  })
})

test('the pages work below the path of PUBLIC_URL', async () => {
  await using t = await startAppWithKeys('members', { PUBLIC_URL: `${publicUrl}/backend` })
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  expect((await submit(t, '/sign-in', { token })).headers.get('location')).toBe('/backend/me/passkey')
  const page = await (await read(t, '/sign-in')).text()
  const paths = Array.from(page.matchAll(/(?:src|href|action)="(\/[^"]*)"/g), ([, path]) => path)
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter((path) => !path?.startsWith('/backend/'))).toEqual([])
})

describe('where ACCESS is open', () => {
  const textOf = async (t: TestApp, path: string, headers: Headers = {}) => (await read(t, path, headers)).text()

  test('an organizer becomes the owner, adds others, and signs out, and nothing is said of participants', async () => {
    await using t = await startTestApp({ SMTP_URL: 'log', ...provider })
    const pages = [await textOf(t, '/setup'), await textOf(t, '/sign-in')]
    const response = await submit(t, '/setup', { token: await setupToken(t), email: eva })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/me/passkey'])
    const cookie = cookieOf(response)
    pages.push(await textOf(t, '/me', { cookie }))
    expect(pages[2]).toContain(eva)
    expect(pages.join().replaceAll('smt_', '')).not.toMatch(/participant|e-mailed|by e-mail/i)
    expect((await read(t, '/sign-in/code')).status).toBe(404)
    expect((await submit(t, '/sign-in/email', { email: eva })).status).toBe(404)
    expect((await submit(t, '/me/sign-out', {}, { cookie })).headers.get('location')).toBe('/sign-in')
    expect((await read(t, '/me', { cookie })).headers.get('location')).toBe('/sign-in')
  })

  test('whoever has signed in at localhost, and comes back to 127.0.0.1, is led to it', async () => {
    const port = String(await freePort())
    await using t = await startTestApp({ PORT: port })
    expect(await textOf(t, '/sign-in?next=%2Fconsole%2Fsettings')).toContain(
      `<a href="http://localhost:${port}/console/settings">go on there</a>`,
    )
    expect(await textOf({ ...t, url: `http://localhost:${port}` }, '/sign-in')).not.toContain('go on there')
  })

  test('a page of another origin, or of another port of this machine, can neither sign in nor out', async () => {
    await using t = await startTestApp()
    const token = await setupToken(t)
    const foreign: Headers[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:5173' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const headers of foreign) expect((await submit(t, '/setup', { token, email: eva }, headers)).status).toBe(403)
    const cookie = cookieOf(await submit(t, '/setup', { token, email: eva }))
    for (const headers of foreign)
      expect((await submit(t, '/me/sign-out', {}, { cookie, ...headers })).status).toBe(403)
    expect((await read(t, '/me', { cookie })).status).toBe(200)
  })

  test.each([{ PUBLIC_URL: 'http://summit.example' }, { HOST: '127.0.0.1', PUBLIC_URL: 'http://192.0.2.1:3000' }])(
    'there are no pages where browsers would not store the cookie of a session: %j',
    async (settings) => {
      await using t = await startTestApp(settings)
      for (const path of ['/sign-in', '/setup', '/me', '/sign-in/oidc'])
        expect((await read(t, path)).status, path).toBe(404)
    },
  )
})
