import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startAppWithKeys } from '../access/app-with-keys.ts'
import { inviteAsParticipant } from '../access/sessions.ts'
import { browserMissing, openBrowser } from '../browser.ts'
import { caddyMissing, startCaddy } from '../faults/caddy.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { nginxMissing, startHostNginx } from '../faults/nginx.ts'
import { freePort } from '../free-port.ts'
import * as make from '../make.ts'

// The pages in a real browser, behind a real proxy that serves the summit below a path.

const below = '/2030'
const missing = browserMissing ?? nginxMissing ?? caddyMissing

/** Collects what goes wrong on a page, and what it requests from elsewhere than below the path. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !`${new URL(request.url()).pathname}/`.startsWith(`${below}/`))
      problems.push(`${request.method()} ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  return problems
}

/** The addresses on a page that lead elsewhere than below the path. */
const strayAddresses = (page: Page) =>
  page.evaluate<string[]>(`Array.from(document.querySelectorAll('[href], [src], [action], [data-next]'))
    .flatMap((element) => ['href', 'src', 'action', 'data-next'].map((name) => element.getAttribute(name)))
    .filter((address) => address !== null && !/^(#|data:,|http:\\/\\/localhost:\\d+\\/2030\\/|\\/2030\\/)/.test(address))`)

/** Starts a summit behind a proxy. The proxy is the first of the two, as the summit has to know its port. */
async function startBelow(startProxy: typeof startHostNginx, dir: string, access: 'public' | 'members') {
  const port = await freePort()
  const proxy = await startProxy(dir, port, below)
  const url = `${proxy.url.replace('127.0.0.1', 'localhost')}${below}`
  const t = await startAppWithKeys(access, { PORT: String(port), PUBLIC_URL: url })
  const stop = async () => {
    await t[Symbol.asyncDispose]()
    await proxy.stop()
  }
  return { ...t, url, [Symbol.asyncDispose]: stop }
}

if (missing) console.log(`Skipped: ${missing}.`)

describe.skipIf(missing).each([
  ['nginx', startHostNginx],
  ['Caddy', startCaddy],
])('below a path of %s', (_, startProxy) => {
  test('a visitor finds a session, stars it, signs in, and has the star on the account', async () => {
    await using folder = await createDataFolder()
    await using t = await startBelow(startProxy, folder.dir, 'public')
    const opening = await make.event(t, { title: 'Opening', speaker: 'Ana Cruz', location_name: 'Hall' })
    await make.event(t, { title: 'Keynote' })
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const problems = watch(page)

    await page.goto(t.url)
    expect(page.url()).toBe(`${t.url}/`)
    for (const path of ['/', '/speakers', '/plan', '/releases']) {
      await page.goto(t.url + path)
      expect(await strayAddresses(page), path).toEqual([])
    }
    const map = await (await fetch(`${t.url}/sitemap.xml`)).text()
    expect(map).toContain(`<loc>${t.url}/sessions/${opening}</loc>`)
    await page.goto(`${t.url}/program`)
    expect(page.url()).toBe(`${t.url}/program/2030-05-02`)
    expect(await strayAddresses(page)).toEqual([])
    await page.getByRole('searchbox').fill('opening')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${t.url}/program?q=opening`)
    const response = page.waitForResponse(`${t.url}/sessions/${opening}`)
    await page.getByRole('link', { name: 'Opening' }).click()
    const policy = (await (await response).allHeaders())['content-security-policy']
    expect(policy).toContain(`script-src ${t.url}/web/; style-src ${t.url}/web/ `)
    await page.waitForURL(`${t.url}/sessions/${opening}`)
    expect(await strayAddresses(page)).toEqual([])
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) as string)
    expect([data.url, data.superEvent.url]).toEqual([`${t.url}/sessions/${opening}`, `${t.url}/`])
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${t.url}/sessions/${opening}`)
    const calendar = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')
    expect(await (await fetch(new URL(calendar ?? '', t.url))).text()).toContain('SUMMARY:Opening')

    const star = page.locator('.star.wide')
    await star.click()
    expect(await page.evaluate('Object.entries(localStorage)[0]')).toEqual([`summit-stars ${below}`, `["${opening}"]`])

    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(`${t.url}/sign-in?next=${encodeURIComponent(`/sessions/${opening}`)}`)
    expect(await strayAddresses(page)).toEqual([])
    await page.getByLabel('Code of the link').fill(await inviteAsParticipant(t, t.ana.participant))
    const synchronized = page.waitForResponse(`${t.url}/api/me/stars`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${t.url}/sessions/${opening}`)
    expect((await synchronized).status()).toBe(200)
    await page.getByRole('button', { name: 'Star', pressed: true }).waitFor()

    await page.getByRole('banner').getByRole('link', { name: 'Me' }).click()
    await page.waitForURL(`${t.url}/me`)
    expect(await strayAddresses(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${t.url}/sign-in`)
    expect(problems).toEqual([])

    await page.goto(`${t.url}/program/none`)
    await page.getByRole('link', { name: 'To the program' }).click()
    await page.waitForURL(`${t.url}/program/2030-05-02`)
  })

  test('somebody who has to sign in comes back to where she was', async () => {
    await using folder = await createDataFolder()
    await using t = await startBelow(startProxy, folder.dir, 'members')
    const opening = await make.event(t, { title: 'Opening' })
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const problems = watch(page)
    await page.goto(`${t.url}/sessions/${opening}`)
    expect(page.url()).toBe(`${t.url}/sign-in?next=${encodeURIComponent(`/sessions/${opening}`)}`)
    await page.goto(`${page.url()}#${await inviteAsParticipant(t, t.ana.participant)}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${t.url}/sessions/${opening}`)
    for (const path of ['/feed', '/people', `/people/${t.ana.participant}`]) {
      await page.goto(t.url + path)
      expect(await strayAddresses(page), path).toEqual([])
    }
    expect(problems).toEqual([])
  })

  test('a file whose name has every special character is downloaded', async () => {
    await using folder = await createDataFolder()
    await using t = await startBelow(startProxy, folder.dir, 'public')
    const files = [new File(['Bring a mug.'], 'a?b #1 100% +&ü.txt')]
    const { NewsFeed } = await t.ana.client.createTopic({ name: 'Notes', created_by: t.ana.participant }, { files })
    const link = NewsFeed[0]?.content.uploaded_files[0]?.link ?? ''
    expect(link).toContain(`${t.url}/api/`)
    expect(await (await fetch(link)).text()).toBe('Bring a mug.')
  })
})
