import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createSetupInvitation } from '../../../src/server/auth/invitations.ts'
import { addAuthenticator } from '../../access/authenticator.ts'
import { startTestApp } from '../../app.ts'
import { browserMissing, browserSettings, openBrowser } from '../../browser.ts'
import { inCommand } from '../../in-command.ts'

// What organizers come for, from the link that the start printed to a program that attendees read: on a laptop, and with a
// phone.

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
  const browser = await openBrowser({ viewport: { width, height: 844 }, hasTouch: width < 768 })
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
  test.each([1440, 390])('at a width of %i pixels', { timeout: 180_000 }, async (width) => {
    await using t = await start(width)
    const { page, url } = t
    const tab = (name: string) =>
      page
        .getByRole('navigation', { name: 'Console' })
        .getByRole('link', { name, exact: name !== 'Publish' })
        .click()
    const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
    const says = async (text: string | RegExp) => {
      await page.getByRole('main').getByText(text).first().waitFor()
      expect(Number(await page.evaluate(overflow)), page.url()).toBe(0)
    }
    const startedAt = performance.now()

    await page.goto(`${url}/setup#${t.token}`)
    await page.getByLabel('Your e-mail address').fill('eva@summit.example')
    await press('Become the owner')
    await page.getByLabel('Name of this device').fill('Mine')
    await press('Add a passkey')
    await page.waitForURL('**/console')

    await tab('Settings')
    await page.getByLabel('Name', { exact: true }).fill('Harbour Days')
    await page.getByLabel('First day').fill('2030-05-14')
    await page.getByLabel('Last day').fill('2030-05-14')
    await page.getByLabel('Time zone').selectOption('Europe/Oslo')
    await press('Save')
    await says('Saved. Attendees see it already.')

    // A spreadsheet with a time that is none.
    await tab('Import')
    await page.setInputFiles(
      '#field-file',
      await t.file('faults.csv', opening, knots.replace('2030-05-14 10:00', 'later')),
    )
    await press('Show what it would change')
    await says(/line 3/)
    await page.getByText('Another file, or other options').click()
    await page.setInputFiles('#field-file', await t.file('program.csv', opening, knots, boats))
    await press('Show what it would change')
    // Only this file has it; the page before has a plan with a button of its own.
    await says('Small boats')
    await press('Import')
    await says('3 sessions were imported as drafts')
    await press('Undo')
    await says('Undone.')
    await tab('Import')
    await page.setInputFiles('#field-file', await t.file('program.csv', opening, knots, boats))
    await press('Show what it would change')
    await press('Import')
    await says('3 sessions were imported as drafts')

    // Two sessions are in one room.
    await tab('Program')
    await page.getByRole('link', { name: /^Clashing/ }).click()
    await page.getByRole('link', { name: 'Small boats', exact: true }).first().click()
    await page.getByRole('link', { name: 'Move to…' }).click()
    await page.getByLabel('Start').fill('11:15')
    await press('Move')
    await says('Saved.')

    await tab('Publish')
    await page.getByLabel('Note to attendees').fill('Welcome aboard.')
    await press(/^Publish 3 sessions$/)
    await says('Published. Attendees see it now.')
    await page.goto(`${url}/program/2030-05-14`)
    await says('Small boats')
    await says('11:15')

    // An hour before it starts.
    await page.goto(`${url}/console/sessions`)
    await page.getByRole('link', { name: 'Knots', exact: true }).first().click()
    await page.getByRole('link', { name: 'Move to…' }).click()
    await page.getByLabel('Start').fill('13:00')
    await press('Move and publish')
    await says('Moved and published.')
    await page.goto(url)
    await page.goto(`${url}/program/2030-05-14`)
    await page.getByRole('link', { name: 'Knots', exact: true }).first().click()
    await says(/It was .*10:00/)

    // And back.
    await page.goBack()
    const { revisions } = await (await fetchRevisions(page)).json().then(([{ data }]) => data)
    await page.goto(`${url}/console/sessions?done=${revisions[0].id}`)
    await press('Undo')
    await says('Undone.')
    const { events } = (await t.client.getSchedule({})).schedule
    expect(events.find(({ title }) => title === 'Knots')?.starts_at).toBe('2030-05-14T10:00:00+02:00')
    expect(t.problems).toEqual([])
    console.log(`From the link to the published program at ${width}: ${Math.round(performance.now() - startedAt)} ms.`)
  })
})

const fetchRevisions = (page: Page) => page.request.get(new URL('/api/program/revisions/0/1', page.url()).href)
