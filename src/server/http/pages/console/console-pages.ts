import type { ConsolePage } from './console.ts'
import { exportsPage } from './exports-page.ts'
import { historyPage } from './history-page.ts'
import { importImagesPage } from './import-images-page.ts'
import { importPage } from './import-page.ts'
import { importParticipantsPage } from './import-participants-page.ts'
import { overviewPage } from './overview-page.ts'
import { publishPage } from './publish-page.ts'
import { roomsPage } from './rooms-page.ts'
import { sessionCancelPage } from './session-cancel-page.ts'
import { newSessionPage, sessionPage } from './session-form-page.ts'
import { sessionMovePage } from './session-move-page.ts'
import { sessionsPage } from './sessions-page.ts'
import { settingsPage } from './settings-page.ts'
import { eraseSpeakerPage, newSpeakerPage, speakerPage } from './speaker-page.ts'
import { speakersPage } from './speakers-page.ts'
import { tracksPage } from './tracks-page.ts'
import { undoPage } from './undo-page.ts'

/** Every page of the console, in the order of its navigation. `deploy/` lets the same paths through, which a test compares. */
export const consolePages: readonly ConsolePage[] = [
  overviewPage,
  ...[sessionsPage, newSessionPage, sessionPage, sessionMovePage, sessionCancelPage],
  ...[speakersPage, newSpeakerPage, speakerPage, eraseSpeakerPage],
  ...[roomsPage, tracksPage],
  ...[publishPage, historyPage, undoPage],
  ...[importPage, importParticipantsPage, importImagesPage, exportsPage],
  settingsPage,
]
