import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createSetupInvitation } from '../../../src/server/auth/invitations.ts'
import { addAuthenticator } from '../../access/authenticator.ts'
import { startTestApp } from '../../app.ts'
import { browserMissing, browserSettings, openBrowser } from '../../browser.ts'
import { inCommand } from '../../in-command.ts'
import { hands } from './hands.ts'

// What organizers come for, from the link that the start printed to a program that attendees read: on a laptop, with a phone,
// and on a small screen with the keyboard alone.

const heading = 'ID,Title,Start,End,Room,Speaker'
const opening = '1,Opening,2030-05-14 09:00,2030-05-14 09:30,Main hall,Ana Cruz'
const knots = '2,Knots,2030-05-14 10:00,2030-05-14 11:00,Main hall,Lars Holm'
/** In the same room while the knots are tied. */
const boats = '3,Small boats,2030-05-14 10:30,2030-05-14 11:30,Main hall,Ana Cruz'

/** A summit that nobody owns yet, and the browser of whoever got its link. */
async function start(width: number) {
  const atLocalhost = await browserSettings()
  const t = await startTestApp(atLocalhost)
  const token = await inCommand(t, (scope) => createSetupInvitation(scope, scope.now + 60_000))
  const browser = await openBrowser({ viewport: { width, height: width < 390 ? 568 : 844 }, hasTouch: width < 768 })
  const page = await browser.newPage()
  await addAuthenticator(page)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.text().includes('Security Policy') && problems.push(message.text()))
  return {
    ...t,
    url: atLocalhost.PUBLIC_URL,
    token,
    page,
    problems,
    file: async (name: string, ...rows: string[]) => {
      const path = join(t.dataDir, name)
      await writeFile(path, [heading, ...rows].join('\n'))
      return path
    },
    [Symbol.asyncDispose]: async () => {
      await browser[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    },
  }
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('from a spreadsheet to a published program', () => {
  test.each([
    { width: 1440, hand: 'pointer' },
    { width: 390, hand: 'pointer' },
    { width: 320, hand: 'keyboard' },
  ] as const)('at a width of $width pixels, with the $hand alone', { timeout: 240_000 }, async ({ width, hand }) => {
    await using t = await start(width)
    const { page, url } = t
    const { press, fill, select, chooseFile } = hands[hand](page)
    const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true }).first()
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    const field = (name: string) => page.getByLabel(name, { exact: name === 'Name' })
    /** Goes on once the next page is there, as the former one may have the same texts and buttons. */
    const go = (target: Locator) => Promise.all([page.waitForEvent('load'), press(target)])
    const tab = (name: string) => {
      const tabs = page.getByRole('navigation', { name: 'Console' })
      return go(tabs.getByRole('link', { name, exact: name !== 'Publish' }))
    }
    const says = async (text: string | RegExp) => {
      await page.getByRole('main').getByText(text).first().waitFor()
      expect(Number(await page.evaluate(overflow)), page.url()).toBe(0)
    }
    const file = page.locator('#field-file')
    const startedAt = performance.now()

    await page.goto(`${url}/setup#${t.token}`)
    await fill(field('Your e-mail address'), 'eva@summit.example')
    await go(button('Become the owner'))
    await fill(field('Name of this device'), 'Mine')
    await go(button('Add a passkey'))

    await tab('Settings')
    await fill(field('Name'), 'Harbour Days')
    await fill(field('First day'), '2030-05-14')
    await fill(field('Last day'), '2030-05-14')
    await select(field('Time zone'), 'Europe/Oslo')
    await go(button('Save'))
    await says('Saved. Attendees see it already.')

    // A spreadsheet with a time that is none.
    await tab('Import')
    await chooseFile(file, await t.file('faults.csv', opening, knots.replace('2030-05-14 10:00', 'later')))
    await press(button('Show what it would change'))
    await says(/line 3/)
    await press(page.getByText('Another file, or other options'))
    await chooseFile(file, await t.file('program.csv', opening, knots, boats))
    await press(button('Show what it would change'))
    // Only this file has it; the page before has a plan with a button of its own.
    await says('Small boats')
    await go(button('Import'))
    await says('3 sessions were imported as drafts')
    await go(button('Undo'))
    await says('Undone.')
    await tab('Import')
    await chooseFile(file, await t.file('program.csv', opening, knots, boats))
    await press(button('Show what it would change'))
    await go(button('Import'))
    await says('3 sessions were imported as drafts')

    // Two sessions are in one room.
    await tab('Program')
    await go(link(/^Clashing/))
    await go(link('Small boats'))
    await go(link('Move to…'))
    await fill(field('Start'), '11:15')
    await go(button('Move'))
    await says('Saved.')

    await tab('Publish')
    await fill(field('Note to attendees'), 'Welcome aboard.')
    await go(button(/^Publish 3 sessions$/))
    await says('Published. Attendees see it now.')
    await page.goto(`${url}/program/2030-05-14`)
    await says('Small boats')
    await says('11:15')

    // An hour before it starts.
    await page.goto(`${url}/console/sessions`)
    await go(link('Knots'))
    await go(link('Move to…'))
    await fill(field('Start'), '13:00')
    await go(button('Move and publish'))
    await says('Saved and published. Attendees see it now.')
    await page.goto(url)
    await page.goto(`${url}/program/2030-05-14`)
    await go(link('Knots'))
    await says(/It was .*10:00/)

    // And back.
    await page.goBack()
    const { revisions } = await (await fetchRevisions(page)).json().then(([{ data }]) => data)
    await page.goto(`${url}/console/sessions?done=${revisions[0].id}`)
    await go(button('Undo'))
    await says('Undone.')
    const { events } = (await t.client.getSchedule({})).schedule
    expect(events.find(({ title }) => title === 'Knots')?.starts_at).toBe('2030-05-14T10:00:00+02:00')
    expect(t.problems).toEqual([])
    console.log(
      `From the link to the published program at ${width}, ${hand}: ${Math.round(performance.now() - startedAt)} ms.`,
    )
  })
})

const fetchRevisions = (page: Page) => page.request.get(new URL('/api/program/revisions/0/1', page.url()).href)
