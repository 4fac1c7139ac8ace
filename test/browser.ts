import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findProgram } from './find-program.ts'

const executablePath = findProgram('chromium')

/** The reason why tests in a browser are skipped, or undefined. */
export const browserMissing = executablePath === undefined ? 'Chromium is not installed' : undefined

/** Opens a browser without a history, which is closed with the test. */
export async function openBrowser(
  options: BrowserContextOptions = {},
): Promise<{ newPage(): Promise<Page> } & AsyncDisposable> {
  if (executablePath === undefined) throw new Error('Chromium is not installed')
  // Containers run as root, where the sandbox does not start.
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
  const context = await browser.newContext(options)
  return { newPage: () => context.newPage(), [Symbol.asyncDispose]: () => browser.close() }
}
