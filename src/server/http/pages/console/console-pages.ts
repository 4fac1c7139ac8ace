import type { ConsolePage } from './console.ts'
import { historyPage } from './history-page.ts'
import { overviewPage } from './overview-page.ts'
import { publishPage } from './publish-page.ts'
import { settingsPage } from './settings-page.ts'
import { undoPage } from './undo-page.ts'

/** Every page of the console, in the order of its navigation. `deploy/` lets the same paths through, which a test compares. */
export const consolePages: readonly ConsolePage[] = [overviewPage, publishPage, historyPage, undoPage, settingsPage]
