import { describe, expect, test } from 'vitest'
import { freePort } from '../../src/server/lifecycle/start/free-port.ts'
import { browserMissing, openBrowser } from '../browser.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { startProvider } from './identity-provider.ts'
import { changesOf, eva, mo, trustProvider } from './oidc.ts'
import { inviteAsOrganizer } from './sessions.ts'

trustProvider()

describe.skipIf(browserMissing)('in a browser', () => {
  test('an organizer connects an account and signs in with it by keyboard, which ends the session of another', async () => {
    const port = await freePort({ host: '127.0.0.1', port: 0 })
    const publicUrl = `http://localhost:${port}`
    await using provider = await startProvider({ redirect_uris: [`${publicUrl}/sign-in/oidc/callback`] })
    await using t = await startAppWithKeys('members', {
      ...provider.settings,
      ...{ PUBLIC_URL: publicUrl, PORT: String(port) },
    })
    await using browser = await openBrowser({ ignoreHTTPSErrors: true })
    const page = await browser.newPage()
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    const signInByLink = async (email: string) => {
      await page.goto(`${publicUrl}/sign-in#${await inviteAsOrganizer(t, email, ['owner'])}`)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/me/passkey')
      await page.goto(`${publicUrl}/me`)
    }
    await signInByLink(eva)
    await press('Connect your account')
    await page.getByText('eva@summit.example', { exact: true }).last().waitFor()
    await page.getByRole('button', { name: 'Disconnect' }).waitFor()
    expect(await changesOf(t, 'organizer.connected')).toEqual([1])
    await press('Sign out')
    await page.waitForURL('**/sign-in')

    await signInByLink(mo)
    const other = await page.context().cookies()
    await page.goto(`${publicUrl}/sign-in`)
    await press('Sign in with your account')
    await page.waitForURL('**/console')
    await page.goto(`${publicUrl}/me`)
    expect(await page.getByRole('main').textContent()).toContain(eva)
    const cookie = other.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect((await fetch(`${t.url}/me`, { headers: { cookie }, redirect: 'manual' })).headers.get('location')).toBe(
      '/sign-in',
    )
  })
})
