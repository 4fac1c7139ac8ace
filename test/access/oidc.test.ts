import { afterAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../app.ts'
import { trustTestCertificate } from '../tls.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { Browser } from './browser.ts'
import { startProvider } from './identity-provider.ts'
import { inviteAsOrganizer, signInWith } from './sessions.ts'

const trust = trustTestCertificate()
afterAll(() => trust[Symbol.dispose]())

/** A browser in which an organizer has redeemed an invitation. */
async function signInByInvitation(t: TestApp, email: string): Promise<Browser> {
  const { setCookie } = await signInWith(t.url, await inviteAsOrganizer(t, email, ['owner']))
  const browser = new Browser(t.url)
  browser.setCookie('__Host-summit', setCookie.split(/[=;]/)[1] ?? '', true)
  return browser
}

describe('an organizer', () => {
  test('connects an account with the session of an invitation, and signs in with it from then on', async () => {
    await using provider = await startProvider()
    await using t = await startAppWithKeys('members', provider.settings)
    const invited = await signInByInvitation(t, 'eva@summit.example')
    const connected = await invited.visit('/sign-in/oidc/connect')
    expect(connected.text).toBe('')
    const browser = new Browser(t.url)
    const visited = await browser.visit('/sign-in/oidc')
    expect(visited.text).toBe('')
    expect((await browser.client.getMe({})).me.organizer?.email).toBe('eva@summit.example')
  })
})
