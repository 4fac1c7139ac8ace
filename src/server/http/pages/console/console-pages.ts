import type { ConsolePage } from './console.ts'
import { historyPage } from './history-page.ts'
import { overviewPage } from './overview-page.ts'
import { roomsPage } from './rooms-page.ts'
import { settingsPage } from './settings-page.ts'
import { eraseSpeakerPage, newSpeakerPage, speakerPage } from './speaker-page.ts'
import { speakersPage } from './speakers-page.ts'
import { tracksPage } from './tracks-page.ts'

/** Every page of the console, in the order of its navigation. `deploy/` lets the same paths through, which a test compares. */
export const consolePages: readonly ConsolePage[] = [
  overviewPage,
  speakersPage,
  newSpeakerPage,
  speakerPage,
  eraseSpeakerPage,
  roomsPage,
  tracksPage,
  historyPage,
  settingsPage,
]
