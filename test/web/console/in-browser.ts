import { startTestApp } from '../../app.ts'
import { browserSettings, openBrowser } from '../../browser.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

/** A summit, and the console of its owner in a real browser, on a narrow screen. */
export async function startInBrowser() {
  const { PORT, PUBLIC_URL } = await browserSettings()
  const t = await startTestApp({ PORT, PUBLIC_URL })
  await addConference(t)
  const eva = await signInToConsole({ ...t, url: PUBLIC_URL })
  const browser = await openBrowser({ viewport: { width: 320, height: 700 } })
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  const [name = '', value = ''] = (eva.headers.cookie ?? '').split(/=(.*)/s)
  const url = PUBLIC_URL.replace('http:', 'https:')
  await page.context().addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
  return {
    ...t,
    eva,
    url: PUBLIC_URL,
    page,
    problems,
    [Symbol.asyncDispose]: async () => {
      await browser[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    },
  }
}
