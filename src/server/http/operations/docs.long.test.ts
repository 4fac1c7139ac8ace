import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { browserMissing, openBrowser } from '../../../../test/browser.ts'
import * as make from '../../../../test/make.ts'

test
  .skipIf(browserMissing !== undefined)
  .each(['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'])(
  'an app developer tries an operation on the docs page as it is filled in, with a body of %s',
  async (type) => {
    await using t = await startTestApp()
    await make.topic(t)
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.goto(`${t.url}/docs`)
    const operation = page.locator('#operations-News_feed-updateTopic')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.opblock-section-request-body select').first().selectOption(type)
    const response = page.waitForResponse((sent) => sent.url().endsWith('/api/newsfeeds/topics/1/update'))
    await operation.locator('button.execute').click()
    expect(await (await response).json()).toMatchObject([{ response_code: 1000 }])
  },
)
