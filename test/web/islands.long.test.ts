import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startAppWithKeys } from '../access/app-with-keys.ts'
import { inviteAsParticipant } from '../access/sessions.ts'
import { browserMissing, browserSettings, openBrowser } from '../browser.ts'
import * as make from '../make.ts'
import { addConference, hours } from './read-page.ts'

// The scripts of the pages for attendees, in a real browser.

const titles = ['Small boats', 'Knots', 'Sails', 'Party']

/** A public summit with four sessions, one after the other from 09:00 on in Berlin. */
async function startSite(settings: Record<string, string> = {}) {
  const { PORT, PUBLIC_URL } = await browserSettings()
  const t = await startAppWithKeys('public', { PORT, PUBLIC_URL, ...settings })
  await addConference(t)
  for (const [index, title] of titles.entries()) {
    const [from, to] = [9 + index, 10 + index].map((hour) => `2030-05-02 ${String(hour).padStart(2, '0')}:00:00`)
    await make.event(t, { title, ...(from && to && { date_from: from, date_to: to }) })
  }
  return { ...t, url: PUBLIC_URL }
}

const starOf = (page: Page, id: number) => page.locator(`[data-star="${id}"]`)
const planOf = (page: Page) => page.locator('#plan .session h3').allTextContents()
const stars = (page: Page) => page.locator('[aria-pressed=true]').count()

/** Stars a session, or removes its star, while the account cannot be reached. */
async function starOffline(page: Page, id: number): Promise<void> {
  await page.route('**/api/me/stars', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await starOf(page, id).click()
  await failed
  await page.unroute('**/api/me/stars')
}

async function signIn(page: Page, t: Awaited<ReturnType<typeof startSite>>, { participant } = t.ana): Promise<void> {
  await page.goto(`${t.url}/sign-in#${await inviteAsParticipant(t, participant)}`)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${t.url}/`)
}

const starsOf = async ({ client }: Awaited<ReturnType<typeof startSite>>['ana']) =>
  (await client.listStars({})).stars.map(({ event_id }) => Number(event_id))

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('in a browser', () => {
  test('sessions that are starred are the plan, and one that is removed can be put back where it was', async () => {
    await using t = await startSite()
    await using browser = await openBrowser({ viewport: { width: 320, height: 400 } })
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    await page.goto(`${t.url}/plan`)
    await page.getByText('Your plan is empty').waitFor()
    await page.goto(`${t.url}/program/2030-05-02`)
    for (const id of [3, 1, 2]) await starOf(page, id).click()
    await page.goto(`${t.url}/plan`)
    await expect.poll(() => planOf(page)).toEqual(['Small boats', 'Knots', 'Sails'])
    // Its address is that of anybody's plan.
    expect(page.url()).toBe(`${t.url}/plan`)
    expect(await stars(page)).toBe(3)
    const link = page.getByText('This plan as a link')
    expect(await link.getAttribute('href')).toBe('/plan?sessions=3,1,2')

    await starOf(page, 2).scrollIntoViewIfNeeded()
    const before = await page.evaluate('scrollY')
    await starOf(page, 2).press('Enter')
    await expect.poll(() => planOf(page)).toEqual(['Small boats', 'Sails'])
    expect(Math.abs(Number(await page.evaluate('scrollY')) - Number(before))).toBeLessThan(150)
    expect(await page.locator('#plan .removed').textContent()).toContain('“Knots” is not in your plan any more.')
    // With the keyboard, one is where one was.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Put it back')
    await page.keyboard.press('Enter')
    await expect.poll(() => planOf(page)).toEqual(['Small boats', 'Knots', 'Sails'])
    for (const id of [1, 2, 3]) await starOf(page, id).click()
    await page.getByText('Your plan is empty').waitFor()
    await page.goto(`${t.url}/plan?sessions=1`)
    expect(await planOf(page)).toEqual(['Small boats'])
    expect(await link.isVisible()).toBe(false)
    await starOf(page, 1).click()
    expect(await planOf(page)).toEqual(['Small boats'])
    expect(problems).toEqual([])
  })

  test('two tabs, and a page that one goes back to, show the same stars', async () => {
    await using t = await startSite()
    await using browser = await openBrowser()
    const [one, two] = [await browser.newPage(), await browser.newPage()]
    await one.goto(`${t.url}/program/2030-05-02`)
    await two.goto(`${t.url}/plan`)
    // At once, which two clicks of one mouse are not.
    await one.evaluate(
      'document.querySelectorAll(\'[data-star="1"], [data-star="2"]\').forEach((star) => star.click())',
    )
    await expect.poll(() => planOf(two)).toEqual(['Small boats', 'Knots'])
    await starOf(two, 1).click()
    await expect.poll(() => stars(one)).toBe(1)
    await one.goto(`${t.url}/sessions/4`)
    await starOf(one, 4).click()
    await one.goBack()
    await expect.poll(() => stars(one)).toBe(2)
  })

  test('stars from before a sign-in become those of the account, and later ones follow, in both directions', async () => {
    await using t = await startSite()
    await t.ana.client.updateStars({ add: [4] })
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(`${t.url}/program/2030-05-02`)
    for (const id of [1, 2, 2]) await starOf(page, id).click()
    await signIn(page, t)
    await page.goto(`${t.url}/plan`)
    await expect.poll(() => planOf(page)).toEqual(['Small boats', 'Party'])
    expect(await starsOf(t.ana)).toEqual([4, 1])
    // Another device.
    await t.ana.client.updateStars({ add: [3], remove: [1] })
    await page.goto(`${t.url}/program/2030-05-02`)
    await expect.poll(() => stars(page)).toBe(2)
    await starOf(page, 2).click()
    await starOf(page, 4).click()
    await expect.poll(() => starsOf(t.ana)).toEqual([3, 2])
  })

  test('stars that cannot be sent, also several times changed, are sent once there is a connection', async () => {
    await using t = await startSite()
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await signIn(page, t)
    await page.goto(`${t.url}/program/2030-05-02`)
    await page.route('**/api/me/stars', (route) => route.abort())
    for (const id of [1, 2, 3, 2]) await starOf(page, id).click()
    expect(await starsOf(t.ana)).toEqual([])
    await page.unroute('**/api/me/stars')
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect.poll(() => starsOf(t.ana)).toEqual([1, 3])
    // A session that is starred and not any more while a request is under way.
    await page.route('**/api/me/stars', async (route) => {
      await page.waitForTimeout(300)
      await route.continue()
    })
    await starOf(page, 4).click()
    await starOf(page, 4).click()
    await starOf(page, 1).click()
    await expect.poll(() => starsOf(t.ana)).toEqual([3])
    await page.waitForTimeout(1_000)
    expect([await starsOf(t.ana), await stars(page)]).toEqual([[3], 1])
  })

  test('more stars than fit into a request become those of the account', async () => {
    await using t = await startSite()
    for (let n = 0; n < 520; n++) await make.event(t)
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(`${t.url}/releases`)
    const ids = Array.from({ length: 520 }, (_, index) => String(index + 1))
    // Anything may have written to the storage, too.
    await page.evaluate(`localStorage.setItem('summit-stars ', '${JSON.stringify([...ids, '999999', 'x', 7])}')`)
    await signIn(page, t)
    await page.goto(`${t.url}/releases`)
    await expect.poll(async () => (await starsOf(t.ana)).length).toBe(520)
    await expect.poll(() => page.evaluate("JSON.parse(localStorage.getItem('summit-stars ')).length")).toBe(520)
  })

  describe('on a browser that several people use, the stars of one are neither shown to the next nor sent to their account', () => {
    const leaveWith = {
      'a button': async (page: Page, t: Awaited<ReturnType<typeof startSite>>) => {
        await page.goto(`${t.url}/me`)
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.waitForURL('**/sign-in')
      },
      'a sign-out elsewhere': async (_page: Page, { ana }: Awaited<ReturnType<typeof startSite>>) => {
        const { credentials } = await ana.client.listCredentials({})
        for (const { id, kind } of credentials)
          if (kind === 'session') await ana.client.revokeCredential({ credential_id: Number(id) })
      },
      'the end of the session': (page: Page) => page.context().clearCookies(),
    }
    test.each(Object.entries(leaveWith))('after %s', async (_, leave) => {
      await using t = await startSite()
      await using browser = await openBrowser()
      const page = await browser.newPage()
      await signIn(page, t)
      await page.goto(`${t.url}/program/2030-05-02`)
      await starOf(page, 1).click()
      await expect.poll(() => starsOf(t.ana)).toEqual([1])
      // Neither of these has reached the account.
      await starOffline(page, 1)
      await starOffline(page, 2)
      await leave(page, t)

      await page.goto(`${t.url}/plan`)
      // A session that ended elsewhere leads to the page for signing in, once.
      if (page.url().includes('/sign-in')) await page.goto(`${t.url}/plan`)
      await page.getByText('Your plan is empty').waitFor()
      await page.goto(`${t.url}/program/2030-05-02`)
      await page.locator('[data-star="1"]:not([hidden])').waitFor()
      expect(await stars(page)).toBe(0)
      await t.ben.client.updateStars({ add: [1] })
      await signIn(page, t, t.ben)
      await page.goto(`${t.url}/plan`)
      await expect.poll(() => planOf(page)).toEqual(['Small boats'])
      await page.waitForTimeout(500)
      expect(await starsOf(t.ben)).toEqual([1])
    })

    test('and to go back shows none of what was for participants only', async () => {
      await using t = await startSite()
      // As people use it, the browser keeps whole pages for those who go back.
      await using browser = await openBrowser({}, { ignoreDefaultArgs: ['--disable-back-forward-cache'] })
      const page = await browser.newPage()
      await signIn(page, t)
      await page.goto(`${t.url}/people/${t.ben.participant}`)
      await page.getByRole('heading', { name: 'Ben' }).waitFor()
      await page.goto(`${t.url}/me`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/sign-in')
      for (const _ of ['/me', '/people']) {
        await page.goBack({ waitUntil: 'commit' })
        await page.waitForTimeout(500)
      }
      expect(page.url()).toContain('/sign-in?next=')
    })

    test('nor if the next signs in at once', async () => {
      await using t = await startSite()
      await using browser = await openBrowser()
      const page = await browser.newPage()
      await signIn(page, t)
      await page.goto(`${t.url}/program/2030-05-02`)
      await starOffline(page, 2)
      await page.goto(`${t.url}/program/2030-05-02`)
      await expect.poll(() => starsOf(t.ana)).toEqual([2])
      await starOffline(page, 3)
      await signIn(page, t, t.ben)
      await page.goto(`${t.url}/plan`)
      await page.getByText('Your plan is empty').waitFor()
      expect(await starsOf(t.ben)).toEqual([])
      expect(await starsOf(t.ana)).toEqual([2])
    })
  })

  test('whoever comes from another site is still known, with their stars', async () => {
    await using t = await startSite()
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await signIn(page, t)
    await page.goto(`${t.url}/program/2030-05-02`)
    await starOf(page, 1).click()
    await expect.poll(() => starsOf(t.ana)).toEqual([1])
    await page.goto('data:text/html,')
    await page.setContent(`<a href="${t.url}/program/2030-05-02">Program</a>`)
    await page.getByText('Program').click()
    await page.waitForURL('**/program/2030-05-02')
    await page.waitForTimeout(1_000)
    expect(await stars(page)).toBe(1)
  })

  test('where nothing can be stored, stars last for the page', async () => {
    await using t = await startSite()
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.addInitScript('Storage.prototype.setItem = () => { throw new Error() }')
    await page.goto(`${t.url}/program/2030-05-02`)
    for (const id of [1, 2, 1]) await starOf(page, id).click()
    expect(await stars(page)).toBe(1)
  })

  test('the line of now is after what has begun, and the first page follows the clock', async () => {
    await using t = await startSite()
    await make.event(t, { title: 'Some time', date_from: '2030-05-02 00:00:00', date_to: '2030-05-02 00:00:00' })
    await using browser = await openBrowser({ timezoneId: 'Australia/Sydney' })
    const page = await browser.newPage()
    const before = async () =>
      page.evaluate("document.querySelector('.now-line')?.previousElementSibling.querySelector('h3').textContent")
    t.advance(hours(23.25))
    await page.clock.install({ time: Date.parse('2030-05-02T08:15:00Z') })
    await page.goto(`${t.url}/program/2030-05-02`)
    expect(await page.locator('.now-line').textContent()).toBe('Now, 10:15')
    expect(await before()).toBe('Knots')
    expect(await page.locator('.on-now h3').allTextContents()).toEqual(['Knots'])
    await page.goto(`${t.url}/sessions/4`)
    expect(await page.locator('[data-own-time]').textContent()).toBe('(20:00 your time)')
    await page.goto(`${t.url}/`)
    const now = () => page.locator('#home section').first().locator('h3').allTextContents()
    expect(await now()).toEqual(['Knots'])
    t.advance(hours(1))
    await page.clock.fastForward('01:00:00')
    await expect.poll(now).toEqual(['Sails'])
    await page.goto(`${t.url}/program/2030-05-02`)
    expect(await before()).toBe('Sails')
    await page.clock.fastForward('02:00:00')
    await expect.poll(() => page.locator('.now-line').count()).toBe(0)
  })

  test('a time that is on another day where the reader is says which', async () => {
    await using t = await startSite()
    await using browser = await openBrowser({ timezoneId: 'Pacific/Kiritimati' })
    const page = await browser.newPage()
    await page.goto(`${t.url}/sessions/4`)
    expect(await page.locator('[data-own-time]').textContent()).toBe('(Fri 00:00 your time)')
  })

  test('a link of another site leads to the page, and back to it after a sign-in', async () => {
    const { PORT, PUBLIC_URL } = await browserSettings()
    await using t = await startAppWithKeys('members', { PORT, PUBLIC_URL })
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const follow = async () => {
      await page.goto('data:text/html,')
      await page.setContent(`<a href="${PUBLIC_URL}/releases?from=0">Changes</a>`)
      await page.getByText('Changes').click()
    }
    await follow()
    await page.waitForURL(/\/sign-in\?next=%2Freleases%3Ffrom%3D0$/)
    await page.locator('#token').fill(await inviteAsParticipant(t, t.ana.participant))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${PUBLIC_URL}/releases?from=0`)
    await follow()
    await page.getByText('Nothing has changed').waitFor()
    expect(page.url()).toBe(`${PUBLIC_URL}/releases?from=0`)
  })
})
