import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { browserMissing, openBrowser } from '../browser.ts'
import { freePort } from '../free-port.ts'
import { addAuthenticator } from './authenticator.ts'
import { inviteAsOrganizer } from './sessions.ts'

// Organizers in Chromium, with an authenticator of its own.

interface LocalApp extends TestApp {
  publicUrl: string
}

/** A server whose pages are a secure context, which passkeys require. */
async function startOnLocalhost(access: 'open' | 'members' = 'members'): Promise<LocalApp> {
  const port = String(await freePort())
  const publicUrl = `http://localhost:${port}`
  const settings = { PORT: port, ACCESS: access, ...(access === 'members' && { PUBLIC_URL: publicUrl }) }
  return { ...(await startTestApp(settings)), publicUrl }
}

async function signInByLink(page: Page, { publicUrl, ...t }: LocalApp): Promise<void> {
  await page.goto(`${publicUrl}/sign-in#${await inviteAsOrganizer(t, 'eva@summit.example', ['owner'])}`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/me/passkey')
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByLabel('This device').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForURL('**/console')
  await openOwnPage(page)
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
}

async function openOwnPage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Me', exact: true }).click()
  await page.waitForURL('**/me')
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
}

const trySignIn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign in with a passkey' }).click()

const countSessions = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.database.read.selectFrom('credential').selectAll().where('kind', '=', 'session').execute()).length

test.skipIf(browserMissing).each(['members', 'open'] as const)(
  'with ACCESS=%s an organizer adds a passkey, signs in with it, removes it, and signs in no more',
  async (access) => {
    await using t = await startOnLocalhost(access)
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    await addAuthenticator(page)
    await signInByLink(page, t)
    await addPasskey(page)
    await signOut(page)

    await trySignIn(page)
    await page.waitForURL('**/console')
    await openOwnPage(page)
    expect(await page.getByText('eva@summit.example').textContent()).toBe('eva@summit.example')
    const passkeys = t.ctx.database.read.selectFrom('passkey').selectAll()
    expect(await passkeys.execute()).toMatchObject([{ transports: 'internal', used_at: t.ctx.clock() }])
    const [session] = (await page.context().cookies()).filter(({ name }) => name === '__Host-summit')
    expect(session).toMatchObject({ sameSite: 'Strict', secure: true, httpOnly: true })

    await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
    await page.getByLabel('This device').fill('Laptop again')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device has a passkey for this site already.').waitFor()

    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor({ state: 'detached' })
    expect(await passkeys.execute()).toEqual([])
    await signOut(page)
    await trySignIn(page)
    await page.getByText('The passkey is unknown').waitFor()
    expect(errors).toEqual([])
  },
)

test.skipIf(browserMissing)(
  'whom the device does not verify, and whose passkey is for another host, does not sign in',
  async () => {
    await using t = await startOnLocalhost()
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const setUserVerified = await addAuthenticator(page)
    await signInByLink(page, t)
    await addPasskey(page)
    await signOut(page)

    await setUserVerified(false)
    await trySignIn(page)
    await page.getByText('It was cancelled').waitFor()
    await setUserVerified(true)
    const start = '**/api/sign-in/passkey/start'
    await page.route(start, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('"rpId":"localhost"', '"rpId":"example.com"')
      await route.fulfill({ response, body })
    })
    await page.reload()
    await trySignIn(page)
    await page.getByText('Passkeys do not work at this address.').waitFor()
    expect(await countSessions(t)).toBe(1)
    await page.unroute(start)
    await page.goto(`${t.publicUrl}/sign-in`)
    await trySignIn(page)
    await page.waitForURL('**/console')
    expect(await countSessions(t)).toBe(2)
  },
)

test.runIf(browserMissing)('sign-in with a passkey in a browser', ({ skip }) => skip(browserMissing))
