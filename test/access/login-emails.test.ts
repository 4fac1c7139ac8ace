import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Request } from '../../src/client/client.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { createTestStorage, startOtherServer, startTestAppOn, type TestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { mailTimeoutMs, startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import {
  type AppWithMail,
  anasAddress,
  Browser,
  codeIn,
  mailSettings,
  otherThan,
  setLogin,
  startAppWithMail,
} from './codes.ts'
import { sendInvitation, signInAsParticipant, tokenOf } from './sessions.ts'

// The address with which a participant signs in, as opposed to the e-mail address in their profile.

const ana = 1 as ParticipantId
const ben = 2 as ParticipantId
const members = { ACCESS: 'members', PUBLIC_URL: publicUrl }
const list = 'first name,email,id\nAna,Ana@x.example,E1\nBen,ben@x.example,E2\n'

/** `summit import participants --apply`. @returns what it prints */
async function importList({ dataDir, settings }: TestStorage, text: string): Promise<string> {
  const file = join(dataDir, 'list.csv')
  await writeFile(file, text)
  const args = ['import', 'participants', file, '--apply']
  const { code, out } = await runSummitInProcess(args, { ...settings, ...members })
  expect(code).toBe(0)
  return out
}

/** What a participant writes where `ACCESS` is `open`. */
async function writeInOpen(storage: TestStorage, profiles: Request<'updateParticipant'>[]): Promise<void> {
  await using t = await startTestAppOn(storage)
  for (const profile of profiles) await t.client.updateParticipant(profile)
}

/** The addresses, by the id of their participant. */
async function readLogins(storage: TestStorage) {
  await using t = await startTestAppOn(storage, members)
  const rows = await t.ctx.database.read.selectFrom('login').selectAll().orderBy('participant_id').execute()
  return rows.map(({ participant_id, email }) => [participant_id, email])
}

/** As in a summit whose list was imported by a version without codes. */
async function removeLogins(storage: TestStorage): Promise<void> {
  await using t = await startTestAppOn(storage)
  await t.ctx.database.transaction((db) => db.deleteFrom('login').execute())
  await t.ctx.database.transaction((db) => db.deleteFrom('change').where('kind', '=', 'login.changed').execute())
  await t.ctx.database.transaction((db) => db.updateTable('change').set({ hash: '' }).execute())
  await t.ctx.database.transaction((db) =>
    db
      .updateTable('import_record')
      .set(({ fn, val }) => ({
        after: fn('replace', ['after', val('"login":"ana@x.example",'), val('')]),
      }))
      .execute(),
  )
}

test('a participant in an imported list signs in with the address in it, until the import is undone', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  expect(await readLogins(storage)).toEqual([
    [ana, 'ana@x.example'],
    [ben, 'ben@x.example'],
  ])
  // A later list does not replace it.
  await importList(storage, list.replace('Ana@x.example', 'ana@new.example'))
  expect(await readLogins(storage)).toEqual([
    [ana, 'ana@x.example'],
    [ben, 'ben@x.example'],
  ])
  for (const id of ['2', '1'])
    expect((await runSummitInProcess(['import', 'undo', id, '--apply'], storage.settings)).code).toBe(0)
  expect(await readLogins(storage)).toEqual([])
})

test('an address that was written in open is nobody’s to sign in with', async () => {
  await using mail = await startMailServer()
  await using storage = await createTestStorage()
  await importList(storage, list)
  await writeInOpen(storage, [
    { participantId: ana, email: 'mallory@x.example' },
    { participantId: ben, email: 'ana@x.example' },
  ])
  await using t = await startTestAppOn(storage, { ...members, ...mailSettings(mail) })
  expect((await new Browser(t).ask('mallory@x.example')).code).toBe(1000)
  const browser = new Browser(t)
  await browser.ask('ana@x.example')
  await vi.waitFor(() => expect(mail.received).toHaveLength(1), mailTimeoutMs)
  expect(make.only(mail.received).to).toEqual(['ana@x.example'])
  expect((await browser.redeem(codeIn(make.only(mail.received)))).code).toBe(1000)
  expect((await browser.client.getMe({})).me.participant?.id).toBe(String(ana))
})

test('a list sets no address of somebody whose profile it finds by what was written in open', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  await removeLogins(storage)
  // Ben claims Ana's profile with his own address, or with his number.
  await writeInOpen(storage, [
    { participantId: ana, email: 'ben@x.example', employee_no: 'E2' },
    { participantId: ben, email: '', employee_no: '' },
  ])
  const out = await importList(storage, list)
  expect(out).toContain(`Participant ${ana} was not created with “ben@x.example”, so they do not sign in with it.`)
  expect(await readLogins(storage)).not.toContainEqual([ana, 'ben@x.example'])
})

test('a participant who claims the address of somebody who is not in the list yet does not get to share their profile', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  await removeLogins(storage)
  await writeInOpen(storage, [{ participantId: ben, email: 'victim@x.example' }])
  const out = await importList(storage, `${list}Vera,victim@x.example,E3\n`)
  expect(out).toContain(`participant login ${ben} victim@x.example`)
  expect((await readLogins(storage)).map(([, email]) => email)).not.toContain('victim@x.example')
})

test('a list that is imported again sets the addresses with which it has created its people', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  await removeLogins(storage)
  await importList(storage, list)
  expect(await readLogins(storage)).toEqual([
    [ana, 'ana@x.example'],
    [ben, 'ben@x.example'],
  ])
})

test('an address that was removed stays so when the list is imported again, and the plan says so', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  expect((await runSummitInProcess(['participant', 'login', '1', '--remove'], storage.settings)).code).toBe(0)
  const out = await importList(storage, list)
  expect(out).toContain(`The address with which participant ${ana} signs in was removed.`)
  expect(out).toContain(`participant login ${ana} ana@x.example`)
  expect(await readLogins(storage)).toEqual([[ben, 'ben@x.example']])
})

test('the plan of a list says that it may have people who were erased since the last one', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  const reminder = 'Erased since the last import: 1 participant. If the file still has them, they are listed as new'
  expect(await importList(storage, `${list}Cleo,cleo@x.example,E3\n`)).not.toContain('Erased')
  const erased = await runSummitInProcess(['participant', 'forget', '1', '--apply'], storage.settings)
  expect(erased.code).toBe(0)
  expect(await importList(storage, list.replace(/^Ana.*\n/m, ''))).not.toContain('Erased')
  expect(await importList(storage, list)).toContain(reminder)
})

test('an operator sets, prints and removes the address of a participant', async () => {
  await using t = await startAppWithMail()
  const run = (...args: string[]) => runSummitInProcess(['participant', 'login', ...args], t.settings)
  const id = String(t.ben.participant)
  const found = async (...args: string[]) => (await run(...args)).out
  expect(await found(id)).toContain('participant 2 (Ben Cruz) has no address to sign in with.\n')
  expect(await found(id, ' Ben@Login.example ')).toContain(
    'participant 2 (Ben Cruz) signs in with ben@login.example.\n',
  )
  expect(await found(id)).toContain('signs in with ben@login.example')
  expect(await found(id, '--remove')).toContain('has no address to sign in with')
  for (const [args, message] of [
    [[id, anasAddress], 'Another participant signs in with this address.\n'],
    [[id, 'ben'], 'email must be an e-mail address.\n'],
    [['404', 'x@login.example'], 'There is no participant 404'],
    [['ben@summit.example'], '“ben@summit.example” is not an id'],
  ] as const)
    expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining(message) })
})

test('an organizer at the desk sets an address, which only one participant may have', async () => {
  await using t = await startAppWithMail()
  const { client } = await t.issueKey({ roles: ['desk'] })
  const set = (id: ParticipantId, email: string) => client.call('setLoginEmail', { participantId: id, email })
  expect((await client.setLoginEmail({ participantId: t.ben.participant, email: 'B@login.example' })).login_email).toBe(
    'b@login.example',
  )
  expect((await t.ben.client.getMe({})).me.login_email).toBe('b@login.example')
  expect((await set(t.ben.participant, anasAddress)).envelope.data).toMatchObject({ reason: 'LOGIN_EMAIL_TAKEN' })
  expect(await make.codeOf(set(t.ben.participant, ''))).toBe(1000)
  expect(await make.codeOf(set(t.ana.participant, 'b@login.example'))).toBe(1000)
  expect((await t.ana.client.getMe({})).me.login_email).toBe('b@login.example')
})

test('a correction of the address ends what somebody else got by the wrong one, on every server', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const participantId = t.ben.participant
  const desk = (await t.issueKey({ roles: ['desk'] })).client
  const beforehand = await signInAsParticipant(t, participantId)
  await desk.setLoginEmail({ participantId, email: 'bem@login.example' })
  expect(await make.codeOf(beforehand.client.call('getMe', {}))).toBe(1000)

  const codeTo = async (browser: Browser) => {
    const mails = t.received.length
    await browser.ask('bem@login.example')
    await vi.waitFor(() => expect(t.received).toHaveLength(mails + 1))
    return codeIn(t.received[mails] ?? make.only([]))
  }
  const [stranger, later] = [new Browser(t), new Browser(t)]
  expect((await stranger.redeem(await codeTo(stranger))).code).toBe(1000)
  const unused = await codeTo(later)
  // Its link may have been sent to the wrong address, too.
  const { invitation } = await desk.inviteParticipant({ participantId })
  const codes = async (url: string) => {
    stranger.url = url
    return make.codeOf(stranger.client.call('getMe', {}))
  }
  expect([await codes(t.url), await codes(other.url)]).toEqual([1000, 1000])

  await desk.setLoginEmail({ participantId, email: 'ben@login.example' })

  expect([await codes(t.url), await codes(other.url)]).toEqual([4010, 4010])
  expect(await make.codeOf(beforehand.client.call('getMe', {}))).toBe(4010)
  expect((await later.redeem(unused)).reason).toBe('CODE_INVALID')
  expect((await sendInvitation(t.url, tokenOf({ invitation }))).data).toMatchObject({ reason: 'INVITATION_INVALID' })
  expect((await t.ben.client.getMe({})).me.login_email).toBe('ben@login.example')
})

/** Ana, in a browser. */
async function signInAna(t: AppWithMail): Promise<Browser> {
  const browser = new Browser(t)
  const { headers } = await signInAsParticipant(t, t.ana.participant)
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(headers.cookie ?? '') ?? []
  browser.cookies.set(name, value)
  return browser
}

const newAddress = 'ana@new.example'

/** Asks for the codes of a change. @returns those in the mails to the old and the new address */
async function askForChange(t: AppWithMail, browser: Browser, email = newAddress) {
  const mails = t.received.length
  expect((await browser.post('/api/me/login-email/codes', { email })).code).toBe(1000)
  await vi.waitFor(() => expect(t.received).toHaveLength(mails + 2), mailTimeoutMs)
  const to = (address: string) => codeIn(make.only(t.received.slice(mails).filter((mail) => mail.to[0] === address)))
  return { old_code: to(anasAddress), new_code: to(email) }
}

test('a participant changes the address with a code to the old and one to the new', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  const codes = await askForChange(t, browser)
  expect((await browser.client.changeLoginEmail(codes)).me.login_email).toBe(newAddress)
  // The session stays.
  expect(await make.codeOf(browser.client.call('changeLoginEmail', codes))).toBe(4031)

  const mails = t.received.length
  const elsewhere = new Browser(t)
  await elsewhere.ask(anasAddress)
  await elsewhere.ask(newAddress)
  await vi.waitFor(() => expect(t.received).toHaveLength(mails + 1), mailTimeoutMs)
  expect((await elsewhere.redeem(codeIn(make.only(t.received.slice(mails))))).code).toBe(1000)
})

test('a change needs both codes, of the same person in the same browser, with 5 wrong tries', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  const codes = await askForChange(t, browser)
  const change = (by: Browser, sent: typeof codes) => make.codeOf(by.client.call('changeLoginEmail', sent))
  // An intruder in the session has no mail to the old address, and one code is not both.
  expect(await change(browser, { ...codes, old_code: codes.new_code })).toBe(4031)
  expect(await change(browser, { ...codes, new_code: codes.old_code })).toBe(4031)
  const other = await signInAna(t)
  expect(await change(other, codes)).toBe(4031)
  const asBen = new Browser(t)
  for (const [name, value] of browser.cookies) if (name.endsWith('browser')) asBen.cookies.set(name, value)
  const { headers } = await signInAsParticipant(t, t.ben.participant)
  asBen.cookies.set('__Host-summit', headers.cookie?.split('=')[1] ?? '')
  expect(await change(asBen, codes)).toBe(4031)
  // Neither code signs anybody in.
  for (const code of Object.values(codes)) expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
  for (let nth = 0; nth < 4; nth++) await change(browser, { ...codes, old_code: otherThan(codes.old_code) })
  expect(await change(browser, codes)).toBe(4031)
  expect((await t.ana.client.getMe({})).me.login_email).toBe(anasAddress)
})

test('a taken address is refused only to the reader of its mail', async () => {
  await using t = await startAppWithMail()
  await setLogin(t, t.ben.participant, 'ben@login.example')
  const browser = await signInAna(t)
  const codes = await askForChange(t, browser, 'ben@login.example')
  const { envelope } = await browser.client.call('changeLoginEmail', codes)
  expect(envelope.data).toMatchObject({ reason: 'LOGIN_EMAIL_TAKEN' })
})

test('a participant without an address to sign in with gets one from an organizer only', async () => {
  await using t = await startAppWithMail()
  const { envelope } = await t.ben.client.call('requestLoginEmailChange', { email: newAddress })
  expect(envelope.data).toMatchObject({ reason: 'NO_LOGIN_EMAIL' })
})
