import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ScheduleEvent } from '../../src/contract/schedule.ts'
import { initializeSummit } from '../../src/demo/initialize.ts'
import { startTestApp } from '../app.ts'
import { browserMissing, openBrowser } from '../browser.ts'

// What attendees come for, on the second day of the sample: by touch on a small phone, without script, and by keyboard.

const now = Date.parse('2030-05-15T13:20:00Z')

async function startSample() {
  const t = await startTestApp()
  t.setClock(now - t.ctx.clock())
  await initializeSummit(t.ctx, 'sample')
  const { events } = (await t.client.getSchedule({})).schedule
  const timed = events.filter(({ starts_at, ends_at, is_cancelled }) => starts_at && ends_at && !is_cancelled)
  const on = timed.find((event) => startOf(event) <= now && now < endOf(event))
  const later = timed.filter((event) => startOf(event) > now && event.day === '2030-05-15')
  // Two that overlap, and one that does not.
  const first = later.find((event) => later.some((other) => overlap(event, other)))
  const second = later.find((event) => first && overlap(first, event))
  const third = later.find((event) => first && second && !overlap(first, event) && !overlap(second, event))
  if (!on || !first || !second || !third) throw new Error('the sample has no such sessions')
  return { ...t, on, chosen: [first, second, third] }
}

const startOf = ({ starts_at }: ScheduleEvent): number => Date.parse(starts_at ?? '')
const endOf = ({ ends_at }: ScheduleEvent): number => Date.parse(ends_at ?? '')
const overlap = (one: ScheduleEvent, other: ScheduleEvent): boolean =>
  one.id !== other.id && startOf(one) < endOf(other) && startOf(other) < endOf(one)

const phone = { viewport: { width: 320, height: 568 }, hasTouch: true, timezoneId: 'UTC' }

/** Waits for a page by its heading. The page that leads there has the same words in a link. */
const arrive = (page: Page, name = '') => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Presses the tabulator until a link or button with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
    )
    if (focused === name) return
  }
  throw new Error(`“${name}” cannot be reached`)
}

/** The calendar behind a link, as the browser would download it. */
async function calendarOf(page: Page, name: string): Promise<string> {
  const href = await page.getByRole('link', { name }).getAttribute('href')
  return (await page.request.get(new URL(href ?? '', page.url()).href)).text()
}

const countEvents = (calendar: string): number => calendar.split('BEGIN:VEVENT').length - 1

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('an attendee', () => {
  test('without script finds what is on, a session by its words, and puts it into a calendar', async () => {
    await using t = await startSample()
    await using browser = await openBrowser({ ...phone, javaScriptEnabled: false })
    const page = await browser.newPage()
    await page.goto(t.url)
    await page.getByRole('link', { name: t.on.title, exact: true }).first().tap()
    await arrive(page, t.on.title)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Program' }).tap()
    const [wanted] = t.chosen
    await page.getByRole('searchbox').fill(wanted?.title ?? '')
    await page.getByRole('button', { name: 'Search' }).tap()
    // All sessions were on the page before.
    await page.waitForURL('**/program?q=*')
    await page
      .getByRole('link', { name: wanted?.title ?? '', exact: true })
      .first()
      .tap()
    await arrive(page, wanted?.title)
    const calendar = await calendarOf(page, 'Add to calendar')
    expect(countEvents(calendar)).toBe(1)
    // Stars need the script, so there are none that do nothing.
    expect(await page.locator('[data-star]:visible').count()).toBe(0)
  })

  test('with a phone stars three sessions, sees that two overlap, and puts all into a calendar', async () => {
    await using t = await startSample()
    await using browser = await openBrowser(phone)
    const page = await browser.newPage()
    await page.clock.setFixedTime(now)
    await page.goto(`${t.url}/program/2030-05-15`)
    for (const { title } of t.chosen) await page.getByRole('button', { name: `Star: ${title}`, exact: true }).tap()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'My plan' }).tap()
    await page.getByText('1 overlap').waitFor()
    const items = page.locator('#plan .session')
    expect(await items.count()).toBe(3)
    const [first, second] = t.chosen
    expect(
      await items
        .filter({ hasText: first?.title ?? '' })
        .first()
        .textContent(),
    ).toContain(`Overlaps with “${second?.title}”`)
    expect(countEvents(await calendarOf(page, 'Add all to my calendar'))).toBe(3)
  })

  test('with the keyboard alone reads a session, stars it, and finds it in the plan', async () => {
    await using t = await startSample()
    await using browser = await openBrowser({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' })
    const page = await browser.newPage()
    await page.clock.setFixedTime(now)
    await page.goto(t.url)
    await tabTo(page, 'Program')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/program/2030-05-15')
    const title = t.chosen[0]?.title ?? ''
    await tabTo(page, title)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sessions/*')
    await tabTo(page, 'Star')
    await page.keyboard.press('Space')
    await page.goto(t.url)
    await tabTo(page, 'My plan')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/plan')
    await page.getByRole('link', { name: title, exact: true }).waitFor()
  })
})
