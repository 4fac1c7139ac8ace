import { describe, expect, test } from 'vitest'
import { browserMissing } from '../../browser.ts'
import { startInBrowser } from './in-browser.ts'

// What the script of the console does so that nothing typed is lost, in a real browser.

async function start() {
  const t = await startInBrowser()
  await t.eva.client.setTracks({ revision: 0, tracks: [{ name: 'Sea' }, { name: 'Land' }] })
  for (const [title, track_id] of [
    ['Boats', 1],
    ['Knots', 2],
  ] as const)
    await t.eva.client.createEvent({ title, track_id })
  await t.page.goto(`${t.url}/console/sessions/1`)
  return t
}

if (browserMissing) console.log(`Skipped: ${browserMissing}.`)

describe.skipIf(browserMissing)('in a browser', () => {
  test('without a network, a form stays with what was typed, and is sent later', async () => {
    await using t = await start()
    const { page } = t
    const [title, save] = [page.getByLabel('Title', { exact: true }), page.getByRole('button', { name: 'Save' })]
    await title.fill('Small boats')
    await page.context().setOffline(true)
    await save.click()
    await page.getByRole('alert').filter({ hasText: 'You are offline, and nothing was sent.' }).waitFor()
    expect(await title.inputValue()).toBe('Small boats')
    await page.context().setOffline(false)
    await save.click()
    await page.getByText('Saved.').waitFor()
    expect((await t.eva.client.getDraftEvent({ id: 1 })).event.title).toBe('Small boats')
  })

  test('a form that is kept for somebody who is signed out is not left without a question', async () => {
    await using t = await start()
    const { page, url } = t
    await page.getByLabel('Title', { exact: true }).fill('Small boats')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Send again' }).waitFor()
    const asked: string[] = []
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await dialog.dismiss()
    })
    await page.getByRole('link', { name: 'Now' }).click({ noWaitAfter: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])
    expect(page.url()).toBe(`${url}/console/sessions/1`)
  })

  test('the choices of a filter can be read with arrow keys, and the button shows what is chosen', async () => {
    await using t = await start()
    const { page, url } = t
    await page.goto(`${url}/console/sessions`)
    await page.getByText('Filters').click()
    const track = page.getByLabel('Track')
    await track.focus()
    for (const _ of ['Sea', 'Land']) await page.keyboard.press('ArrowDown')
    expect(page.url()).toBe(`${url}/console/sessions`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(`${url}/console/sessions?track=2`)
    expect(await page.getByRole('link', { name: 'Boats' }).count()).toBe(0)
    expect(t.problems).toEqual([])
  })
})
