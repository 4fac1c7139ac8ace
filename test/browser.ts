import { type BrowserContextOptions, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'

const executablePath = findProgram('chromium')

/** The reason why tests in a browser are skipped, or undefined. */
export const browserMissing = executablePath === undefined ? 'Chromium is not installed' : undefined

/** Opens a browser without a history, which is closed with the test. */
export async function openBrowser(
  options: BrowserContextOptions = {},
  launch: Pick<LaunchOptions, 'ignoreDefaultArgs'> = {},
): Promise<{ newPage(): Promise<Page> } & AsyncDisposable> {
  if (executablePath === undefined) throw new Error('Chromium is not installed')
  // Containers run as root, where the sandbox does not start.
  const browser = await chromium.launch({
    executablePath,
    ...launch,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
  const context = await browser.newContext(options)
  return { newPage: () => context.newPage(), [Symbol.asyncDispose]: () => browser.close() }
}

/**
 * Settings of a server whose pages run their scripts and keep cookies in a browser: its public URL is where it listens, on
 * the loopback interface.
 */
export async function browserSettings(): Promise<{ PORT: string; PUBLIC_URL: string }> {
  const PORT = String(await freePort())
  return { PORT, PUBLIC_URL: `http://localhost:${PORT}` }
}
