import type { BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../browser.ts'

/** Runs before the scripts of the page. It is no script of the page, so its policy does not stop it. */
const watch = `
  window.__violations = []
  document.addEventListener('securitypolicyviolation', (event) => {
    window.__violations.push(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample)
  })
  window.__shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.__shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })`

/** What a reader does that may run an attack: points at everything, and moves the focus there. */
const touchAll = `
  for (const element of document.querySelectorAll('body *')) {
    element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    element.focus?.({ preventScroll: true })
  }`

const unsafeLinks = `
  [...document.querySelectorAll('[href], [src], [action], [formaction], [data], [srcdoc]')].flatMap((element) => {
    if (element.matches('link[rel=icon]')) return []
    const { href, src, action } = element
    // Buttons of the console send their form elsewhere, on the same site.
    const leavesSite = element.matches('[formaction]') && new URL(element.formAction).origin !== location.origin
    return [href, src, typeof action === 'string' ? action : undefined]
      .filter((url) => url && !/^(https?|mailto|tel):/.test(url))
      .concat(leavesSite || element.matches('base, iframe, object, embed, [srcdoc]') ? [element.outerHTML] : [])
  })`

export interface WatchedPage extends AsyncDisposable {
  page: Page
  /** Signs in with the headers of a request; without a cookie, signs out. */
  become(headers: Record<string, string>): Promise<void>
  /** Opens a page, and touches everything on it. @returns what should not have happened */
  visit(url: string): Promise<string[]>
  /** Touches everything on the page that is open. @returns what should not have happened since it was visited */
  inspect(): Promise<string[]>
}

/** A page of a browser in which nothing happens unnoticed: scripts, dialogs, violations of the policy, other origins. */
export async function openWatchedPage(origin: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const browser = await openBrowser(options)
  const page = await browser.newPage()
  let problems: string[] = []
  await page.addInitScript(watch)
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => problems.push(`an error: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text())
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) problems.push(`a request to ${url.href}`)
  })
  page.on('popup', (popup) => problems.push(`a window: ${popup.url()}`))
  const inspect = async () => {
    await page.evaluate(touchAll)
    const violations = (await page.evaluate('window.__violations')) as string[]
    const links = (await page.evaluate(unsafeLinks)) as string[]
    if (await page.evaluate('"__pwned" in window')) problems.push('an attack was run')
    return [
      ...problems,
      ...violations.map((violation) => `a violation: ${violation}`),
      ...links.map((link) => `a link: ${link}`),
    ]
  }
  return {
    page,
    inspect,
    async become({ cookie = '' }) {
      const [name = '', value = ''] = cookie.split('=')
      await page.context().clearCookies()
      const { hostname } = new URL(origin)
      const stored = {
        name,
        value,
        domain: hostname,
        path: '/',
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
      } as const
      if (name !== '') await page.context().addCookies([stored])
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
    async visit(url) {
      problems = []
      await page.goto(url, { waitUntil: 'load' })
      return inspect()
    },
  }
}
