import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { createTestStorage, startOtherServer, startTestAppOn, type TestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { anasAddress, askAs, CodeBrowser, otherThan, setLogin, startAppWithMail } from './codes.ts'
import { askForChange, importList, readLogins, signInAna, writeInOpen } from './login-emails.ts'
import { sendInvitation, signInAsParticipant, tokenOf } from './sessions.ts'

// The address with which a participant signs in: repeated imports, commands, and changes that are refused.

const ana = 1 as ParticipantId
const ben = 2 as ParticipantId

const list = 'first name,email,id\nAna,Ana@x.example,E1\nBen,ben@x.example,E2\n'

/** As in a summit whose list was imported by a version without codes. */
async function removeLogins(storage: TestStorage): Promise<void> {
  await using t = await startTestAppOn(storage)
  await t.ctx.database.transaction((db) => db.deleteFrom('login').execute())
  await t.ctx.database.transaction((db) => db.deleteFrom('change').where('kind', '=', 'login.changed').execute())
  await t.ctx.database.transaction((db) => db.updateTable('change').set({ hash: '' }).execute())
  await t.ctx.database.transaction((db) =>
    db
      .updateTable('revision_record')
      .set(({ fn, val }) => ({
        after: fn('replace', ['after', val('"login":"ana@x.example",'), val('')]),
      }))
      .execute(),
  )
}

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
    [[id, 'ben@login.example', '--remove'], 'Give either an address or --remove.\n'],
    [['404', 'x@login.example'], 'There is no participant 404'],
    [['ben@summit.example'], '“ben@summit.example” is not an id'],
  ] as const)
    expect(await run(...args)).toMatchObject({ code: 1, err: expect.stringContaining(message) })
})

test('a correction of the address ends what somebody else got by the wrong one, on every server', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const participantId = t.ben.participant
  const desk = (await t.issueKey({ roles: ['desk'] })).client
  const beforehand = await signInAsParticipant(t, participantId)
  await desk.setLoginEmail({ participantId, email: 'bem@login.example' })
  expect(await make.codeOf(beforehand.client.call('getMe', {}))).toBe(1000)

  const codeTo = (browser: CodeBrowser) => askAs(t, browser, 'bem@login.example')
  const [stranger, later] = [new CodeBrowser(t), new CodeBrowser(t)]
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

test('a change needs both codes, of the same person in the same browser, with 5 wrong tries', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  const codes = await askForChange(t, browser)
  const change = (by: CodeBrowser, sent: typeof codes) => make.codeOf(by.client.call('changeLoginEmail', sent))
  // An intruder in the session has no mail to the old address, and one code is not both.
  expect(await change(browser, { ...codes, old_code: codes.new_code })).toBe(4031)
  expect(await change(browser, { ...codes, new_code: codes.old_code })).toBe(4031)
  const other = await signInAna(t)
  expect(await change(other, codes)).toBe(4031)
  const asBen = new CodeBrowser(t)
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
