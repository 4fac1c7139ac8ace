import { describe, expect, test } from 'vitest'
import { browserMissing } from '../../browser.ts'
import { startInBrowser } from './in-browser.ts'

// What the script of the console does for when a session is, in a real browser.

async function start() {
  const t = await startInBrowser()
  const { client } = t.eva
  await client.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }, { name: 'Hall 2' }] })
  await client.createEvent({ title: 'Boats', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 09:45', room_id: 1 })
  await client.createEvent({ title: 'Knots', starts_at: '2030-05-02 11:00', ends_at: '2030-05-02 12:00', room_id: 2 })
  const times = async () => {
    const { starts_at, ends_at } = (await client.getDraftEvent({ id: 1 })).event
    return [starts_at, ends_at].map((time) => time?.slice(0, 16))
  }
  return { ...t, times }
}

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('in a browser', () => {
  test('the end of a session moves with its start before it is saved, unless somebody changes it', async () => {
    await using t = await start()
    const { page, url } = t
    const [from, to] = [page.getByLabel('Start'), page.getByLabel('End')]
    const save = async () => {
      const loaded = page.waitForEvent('load')
      await page.getByRole('button', { name: 'Save' }).click()
      await loaded
      await page.getByText('Saved.').waitFor()
    }
    await page.goto(`${url}/console/sessions/1`)
    await from.fill('2030-05-02T23:30')
    expect(await to.inputValue()).toBe('2030-05-03T00:15')
    await from.fill('')
    expect(await to.inputValue()).toBe('')
    await from.fill('2030-05-02T10:00')
    expect(await to.inputValue()).toBe('2030-05-02T10:45')
    await save()
    expect(await t.times()).toEqual(['2030-05-02T10:00', '2030-05-02T10:45'])
    // Back to where the end was, which is no change of the form.
    await from.fill('2030-05-02T10:15')
    await to.fill('2030-05-02T10:45')
    await from.fill('2030-05-02T10:30')
    expect(await to.inputValue()).toBe('2030-05-02T10:45')
    expect(await page.getByText('It moves with the start.').count()).toBe(0)
    await save()
    expect(await t.times()).toEqual(['2030-05-02T10:30', '2030-05-02T10:45'])
    await to.fill('2030-05-02T11:30')
    await save()
    expect(await t.times()).toEqual(['2030-05-02T10:30', '2030-05-02T11:30'])
    expect(t.problems).toEqual([])
  })

  test('what clashes, and which rooms are free, is said as soon as another time or room is chosen', async () => {
    await using t = await start()
    const { page, url } = t
    await page.goto(`${url}/console/sessions/1/move`)
    const look = page.getByRole('button', { name: 'See what clashes' })
    const room = page.getByLabel('Room')
    expect(await look.isVisible()).toBe(false)
    await page.getByText('Nothing clashes: 2 May, 09:00–09:45, Hall 1').waitFor()
    await room.selectOption('2')
    await page.getByText('Nothing clashes: 2 May, 09:00–09:45, Hall 2').waitFor()
    await page.getByLabel('Start').fill('11:30')
    await page.getByLabel('Start').blur()
    await page.getByText('It clashes with what is at the same time').waitFor()
    expect(await room.locator('option').allTextContents()).toEqual([
      'No room',
      'Hall 1 – free',
      'Hall 2 – taken: Knots',
    ])
    expect(await room.inputValue()).toBe('2')
    expect(t.problems).toEqual([])

    await page.route('**/move?*', (route) => route.abort())
    await room.selectOption('1')
    await page.getByText('The server could not be asked what clashes.').waitFor()
    await page.unroute('**/move?*')
    await look.click()
    await page.getByText('Nothing clashes: 2 May, 11:30–12:15, Hall 1').waitFor()
  })
})
