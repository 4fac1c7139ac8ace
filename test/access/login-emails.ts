import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Request } from '../../src/client/client.ts'
import { startTestAppOn, type TestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { type AppWithMail, anasAddress, CodeBrowser, codeIn, mailsOf } from './codes.ts'
import { signInAsParticipant } from './sessions.ts'

export const members = { ACCESS: 'members', PUBLIC_URL: publicUrl }

/** `summit import participants --apply`. @returns what it prints */
export async function importList(
  { dataDir, settings }: TestStorage,
  text: string,
  ...options: string[]
): Promise<string> {
  const file = join(dataDir, 'list.csv')
  await writeFile(file, text)
  const args = ['import', 'participants', file, '--apply', ...options]
  const { code, out } = await runSummitInProcess(args, { ...settings, ...members })
  expect(code).toBe(0)
  return out
}

/** The values that a participant writes where `ACCESS` is `open`. */
export async function writeInOpen(storage: TestStorage, profiles: Request<'updateParticipant'>[]): Promise<void> {
  await using t = await startTestAppOn(storage)
  for (const profile of profiles) await t.client.updateParticipant(profile)
}

/** The addresses, by the id of their participant. */
export async function readLogins(storage: TestStorage) {
  await using t = await startTestAppOn(storage, members)
  const rows = await t.ctx.database.read.selectFrom('login').selectAll().orderBy('participant_id').execute()
  return rows.map(({ participant_id, email }) => [participant_id, email])
}

/** Ana, in a browser. */
export async function signInAna(t: AppWithMail): Promise<CodeBrowser> {
  const browser = new CodeBrowser(t)
  const { headers } = await signInAsParticipant(t, t.ana.participant)
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(headers.cookie ?? '') ?? []
  browser.cookies.set(name, value)
  return browser
}

const newAddress = 'ana@new.example'

/** Asks for the codes of a change. @returns those in the mails to the old and the new address */
export async function askForChange(t: AppWithMail, browser: CodeBrowser, email = newAddress, oldAddress = anasAddress) {
  const before = t.received.length
  expect((await browser.post('/api/me/login-email/codes', { email })).code).toBe(1000)
  const mails = (await mailsOf(t, before + 2)).slice(before)
  const to = (address: string) => codeIn(make.only(mails.filter((mail) => mail.to[0] === address)))
  return { old_code: to(oldAddress), new_code: to(email) }
}
