import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { publicUrl, startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import {
  cookieOf,
  inviteAsOrganizer,
  ownPage,
  signInAsOrganizer,
  signInAsParticipant,
} from '../../../../test/access/sessions.ts'
import { insertPasskey } from '../../auth/passkeys/store.ts'
import type { OrganizerId } from '../../core/ids.ts'
import { eva, type Headers, read, setupToken, submit } from './pages.fixtures.ts'

describe('the page /sign-in', () => {
  test('signs an invited organizer in, who then sees who they are', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['owner', 'desk'])
    const response = await submit(t, '/sign-in', { token })
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([303, '/me/passkey', ''])
    const cookie = cookieOf(response)
    expect(cookie).toMatch(/^__Host-summit=smt_/)
    const page = await (await read(t, '/me', { cookie })).text()
    expect(page).toContain(eva)
    expect(page).toContain('owner, desk')
    expect(page).not.toContain('smt_')
  })

  test('says why an invitation does not work, and sets no cookie', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['owner'])
    await submit(t, '/sign-in', { token })
    const response = await submit(t, '/sign-in', { token })
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
    const page = await response.text()
    expect(page).toContain('The invitation is unknown, has been used, or has expired.')
    expect(page).not.toContain(token)
  })

  test.each<[string, Headers]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another site, in an older browser', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('signs nobody in for a form of %s', async (_, headers) => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['owner'])
    const sent = Object.fromEntries(Object.entries({ ...ownPage, ...headers }).filter(([, value]) => value !== ''))
    const response = await fetch(`${t.url}/sign-in`, {
      method: 'POST',
      headers: sent,
      body: new URLSearchParams({ token }),
    })
    expect(response.status).toBe(403)
    expect((await submit(t, '/sign-in', { token })).status).toBe(303)
  })
})

test('an organizer without a passkey is offered one after the link, and goes on to where they were going', async () => {
  await using t = await startAppWithKeys('members')
  const response = await submit(t, '/sign-in?next=%2Fprogram', { token: await inviteAsOrganizer(t, eva, ['editor']) })
  expect(response.headers.get('location')).toBe('/me/passkey?next=%2Fprogram')
  const cookie = cookieOf(response)
  const offer = await read(t, '/me/passkey?next=%2Fprogram', { cookie })
  expect([offer.status, await offer.text()]).toEqual([200, expect.stringMatching(/data-next="\/program".*Not now/s)])
  const passkey = { public_key: 'x', counter: 0, transports: '', created_at: 1, used_at: 1, label: 'Laptop' }
  const [organizer] = await t.ctx.database.read.selectFrom('organizer').select('id').execute()
  await t.ctx.database.transaction((db) =>
    insertPasskey(db, { ...passkey, webauthn_id: 'x', organizer_id: organizer?.id as OrganizerId }),
  )
  const skipped = await read(t, '/me/passkey', { cookie })
  expect([skipped.status, skipped.headers.get('location')]).toEqual([303, '/console'])
  expect((await read(t, '/me/passkey')).headers.get('location')).toBe('/sign-in')
})

describe('the page /setup', () => {
  test('makes the first owner from the e-mail address', async () => {
    await using t = await startAppWithKeys('members')
    const token = await setupToken(t)
    const withoutEmail = await submit(t, '/setup', { token, email: 'eva' })
    expect(await withoutEmail.text()).toContain('email must be an e-mail address.')
    const response = await submit(t, '/setup', { token, email: eva })
    expect(response.headers.get('location')).toBe('/me/passkey')
    const cookie = cookieOf(response)
    expect(await (await read(t, '/me', { cookie })).text()).toContain(eva)
    // The link again, as of somebody who keeps it as a bookmark.
    const used = await (await submit(t, '/setup', { token, email: eva })).text()
    expect(used).toContain('If you are the owner already, <a href="/sign-in">sign in</a>.')
    expect(used).toContain('organizer invite YOUR-ADDRESS --role owner')
  })

  test('says at another address where the link works, without using it up', async () => {
    await using t = await startAppWithKeys('members')
    const token = await setupToken(t)
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'http://192.0.2.1:3000' }
    const refused = await submit(t, '/setup', { token, email: eva }, elsewhere)
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining(`Open <a href="${publicUrl}/setup">${publicUrl}/setup</a> instead`),
    ])
    expect((await submit(t, '/setup', { token, email: eva })).status).toBe(303)
  })
})

describe('the page /me', () => {
  test('leads a visitor who is not signed in to /sign-in', async () => {
    await using t = await startAppWithKeys('public')
    for (const headers of [{}, { cookie: '__Host-summit=smt_x' }]) {
      const response = await read(t, '/me', headers)
      expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in'])
    }
  })

  test('ends another session, and then its own', async () => {
    await using t = await startAppWithKeys('members')
    const [phone, laptop] = [
      await signInAsParticipant(t, t.ana.participant),
      await signInAsParticipant(t, t.ana.participant),
    ]
    const page = await (await read(t, '/me', laptop.headers)).text()
    const [path = ''] = /\/me\/credentials\/\d+\/revoke/.exec(page) ?? []
    const ended = await submit(t, path, {}, laptop.headers)
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/me'])
    expect((await read(t, '/me', phone.headers)).headers.get('location')).toBe('/sign-in')
    const again = await submit(t, path, {}, laptop.headers)
    expect([again.status, await again.text()]).toEqual([
      404,
      expect.stringContaining('You have no such session or key.'),
    ])

    const signedOut = await submit(t, '/me/sign-out', {}, laptop.headers)
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(signedOut.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await read(t, '/me', laptop.headers)).status).toBe(303)
  })

  test('ends nothing for a page of another site', async () => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsOrganizer(t, eva, ['owner'])
    const foreign = { ...headers, 'sec-fetch-site': 'cross-site' }
    expect((await submit(t, '/me/sign-out', {}, foreign)).status).toBe(403)
    expect((await submit(t, '/me/credentials/4/revoke', {}, foreign)).status).toBe(403)
    expect((await read(t, '/me', headers)).status).toBe(200)
  })

  test('shows names as text', async () => {
    await using t = await startAppWithKeys('members')
    await t.ctx.database.transaction((db) =>
      db.updateTable('participant').set({ first_name: '<b>"Ana"</b>' }).where('id', '=', t.ana.participant).execute(),
    )
    const { headers } = await signInAsParticipant(t, t.ana.participant)
    const page = await (await read(t, '/me', headers)).text()
    expect(page).toContain('&#60;b&#62;&#34;Ana&#34;&#60;/b&#62; Cruz')
  })
})

test.each(['/sign-in', '/setup', '/me'])(
  'the page %s is never stored, is shown in no frame, and runs no script but its own',
  async (path) => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsOrganizer(t, eva, ['owner'])
    const response = await read(t, path, headers)
    const page = await response.text()
    const [, style = ''] = /<style>(.*)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    // Uploaded files are at this origin too, but not in this folder.
    const folder = `${publicUrl}/web/ ${t.url}/web/`
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${folder}; style-src ${folder} 'sha256-${hash}'; img-src 'self' blob: data:; ` +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(page).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style=/)
    const assets = Array.from(page.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g), ([, asset = '']) => asset)
    expect(assets).toHaveLength(2)
    for (const asset of assets) {
      const response = await read(t, asset)
      expect([response.status, response.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
      expect(response.headers.get('cache-control')).toContain('immutable')
    }
  },
)
