import type { ConsolePage } from './console.ts'
import { historyPage } from './history-page.ts'
import { overviewPage } from './overview-page.ts'
import { sessionsPage } from './sessions-page.ts'
import { settingsPage } from './settings-page.ts'

/** Every page of the console, in the order of its navigation. `deploy/` lets the same paths through, which a test compares. */
export const consolePages: readonly ConsolePage[] = [overviewPage, sessionsPage, historyPage, settingsPage]
