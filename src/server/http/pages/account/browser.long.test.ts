import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../../test/access/app-with-keys.ts'
import { inviteAsOrganizer, inviteAsParticipant } from '../../../../../test/access/sessions.ts'
import { browserMissing, browserSettings, openBrowser } from '../../../../../test/browser.ts'
import { insertPasskey } from '../../../auth/passkeys/store.ts'
import type { OrganizerId } from '../../../core/ids.ts'
import { insertIdentity } from '../../../domains/organizers/store.ts'

// The pages in a real browser, which accepts the cookie of http on the loopback interface only.

/** A summit whose scripts and cookies work in a browser. */
async function startSite(settings: Record<string, string> = {}) {
  const atLocalhost = await browserSettings()
  const t = await startAppWithKeys('members', { ...atLocalhost, ...settings })
  return { ...t, url: atLocalhost.PUBLIC_URL }
}

/** Every way to sign in is on the page. Nobody listens at port 1. */
const everyWay = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'summit@summit.example',
  OIDC_ISSUER: 'https://127.0.0.1:1',
  OIDC_CLIENT_ID: 'summit',
  OIDC_CLIENT_SECRET: 'secret',
}
const eva = 'eva@summit.example'

/** Collects what the page should not have: errors of scripts, and what its policy refused. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text())
  })
  return problems
}

/** Moves the focus to an element with this text, by the tabulator alone. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.textContent')) === text) return
  }
  throw new Error(`${text} cannot be reached`)
}

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('in a browser', () => {
  test('an organizer signs in, ends another session and signs out with the keyboard alone', async () => {
    await using t = await startSite()
    await using other = await openBrowser()
    const elsewhere = await other.newPage()
    await elsewhere.goto(`${t.url}/sign-in#${await inviteAsOrganizer(t, eva, ['owner'])}`)
    await elsewhere.keyboard.press('Enter')
    await elsewhere.waitForURL('**/me/passkey')

    await using browser = await openBrowser()
    const page = await browser.newPage()
    const problems = watch(page)
    await page.goto(`${t.url}/sign-in#${await inviteAsOrganizer(t, eva, ['owner'])}`)
    expect(page.url()).toBe(`${t.url}/sign-in`)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/me/passkey')
    await page.goto(`${t.url}/me`)
    expect(await page.getByRole('main').textContent()).toMatch(new RegExp(`${eva}.*owner.*Chrome on Linux`, 's'))
    expect(await page.evaluate('document.cookie')).toBe('')

    await tabTo(page, 'End')
    // Between two pages there is no button either.
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    expect(await page.getByRole('button', { name: /^End / }).count()).toBe(0)
    await elsewhere.reload()
    expect(elsewhere.url()).toBe(`${t.url}/sign-in`)

    await tabTo(page, 'Sign out anyway')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in')
    await page.goto(`${t.url}/me`)
    expect(page.url()).toBe(`${t.url}/sign-in`)
    expect(problems).toEqual([])
  })

  test('somebody with a link sees only the button that it needs, and every other way after it has failed', async () => {
    await using t = await startSite(everyWay)
    await using browser = await openBrowser()
    const page = await browser.newPage()
    const buttons = () => page.getByRole('button').allTextContents()
    await page.goto(`${t.url}/sign-in`)
    const all = ['Send me a code', 'Sign in', 'Sign in with a passkey', 'Sign in with your account']
    expect(await buttons()).toEqual(all)
    const token = await inviteAsParticipant(t, t.ana.participant)
    await page.goto(`${t.url}/sign-in#${token}`)
    expect(await buttons()).toEqual(['Sign in'])
    await inviteAsParticipant(t, t.ana.participant)
    await page.keyboard.press('Enter')
    await page.getByRole('group').filter({ hasText: 'The invitation is unknown' }).waitFor()
    expect(await buttons()).toEqual(all)
  })

  test('a participant signs in without script, after a code that was wrong', async () => {
    await using t = await startSite()
    await using browser = await openBrowser({ javaScriptEnabled: false })
    const page = await browser.newPage()
    await page.goto(`${t.url}/sign-in`)
    await page.getByLabel('Code of the link').fill('smt_wrong')
    await page.keyboard.press('Enter')
    // What was wrong has the focus, and what to do about it is next.
    await page.locator(':focus', { hasText: 'The invitation is unknown' }).waitFor()
    await page.getByLabel('Code of the link').fill(await inviteAsParticipant(t, t.ana.participant))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${t.url}/`)
    await page.getByRole('link', { name: 'Me' }).click()
    await page.waitForURL('**/me')
    expect(await page.getByRole('main').textContent()).toContain('Ana Cruz')
  })

  test.each([320, 768, 1280, 1440])(
    'at a width of %i nothing is wider than its box or the page, and no time is broken',
    async (width) => {
      await using t = await startSite(everyWay)
      await using browser = await openBrowser({ viewport: { width, height: 800 } })
      const page = await browser.newPage()
      const expectNoOverflow = async () => {
        const boxes = await page.evaluate(`Array.from(document.querySelectorAll(':root, .card, .notice'))
        .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.innerText)`)
        expect(boxes, page.url()).toEqual([])
      }
      /** The times that continue on another line. */
      const findBrokenTimes = () =>
        page.evaluate(`Array.from(document.querySelectorAll('main *')).flatMap((element) => Array.from(element.childNodes))
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .flatMap((node) => Array.from(node.data.matchAll(/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d/g), (match) => {
          const range = document.createRange()
          range.setStart(node, match.index)
          range.setEnd(node, match.index + match[0].length)
          return [match.input, range.getClientRects().length]
        }))
        .filter(([, lines]) => lines !== 1)`)
      for (const path of ['/setup', '/sign-in/code', '/sign-in']) {
        await page.goto(t.url + path)
        await expectNoOverflow()
      }
      await page.getByRole('button', { name: 'Sign in with your account' }).click()
      await page.getByRole('alert').filter({ hasText: 'The identity provider cannot be reached' }).waitFor()
      await expectNoOverflow()
      const longest = `${'e'.repeat(64)}@${`${'e'.repeat(60)}.`.repeat(3)}org`
      await page.goto(`${t.url}/sign-in#${await inviteAsOrganizer(t, longest, ['owner'])}`)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/me/passkey')
      await expectNoOverflow()
      await page.goto(`${t.url}/me`)
      await expectNoOverflow()
      const identity = { issuer: `https://${longest.split('@')[1]}`, subject: 's'.repeat(255), name: longest }
      const organizer_id = 1 as OrganizerId
      const passkey = { public_key: 'x', counter: 0, transports: '', created_at: 1, used_at: 1, organizer_id }
      await inviteAsOrganizer(t, longest, ['owner'])
      await t.ctx.database.transaction(async (db) => {
        await insertIdentity(db, { ...identity, organizer_id, connected_at: 1 })
        for (const label of ['Laptop', 'W'.repeat(100)])
          await insertPasskey(db, { ...passkey, webauthn_id: label, label })
      })
      await page.reload()
      await page.getByRole('button', { name: 'Disconnect' }).waitFor()
      await expectNoOverflow()
      expect(await findBrokenTimes()).toEqual([])
    },
  )
})
