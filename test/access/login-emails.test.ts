import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { createTestStorage, startTestAppOn } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { anasAddress, CodeBrowser, codeOf, mailSettings, startAppWithMail } from './codes.ts'
import { askForChange, importList, members, readLogins, signInAna, writeInOpen } from './login-emails.ts'

// The address with which a participant signs in, as opposed to the e-mail address in their profile.

const ana = 1 as ParticipantId
const ben = 2 as ParticipantId

const list = 'first name,email,id\nAna,Ana@x.example,E1\nBen,ben@x.example,E2\n'

test('a participant in an imported list signs in with the address in it, until the import is undone', async () => {
  await using storage = await createTestStorage()
  await importList(storage, list)
  expect(await readLogins(storage)).toEqual([
    [ana, 'ana@x.example'],
    [ben, 'ben@x.example'],
  ])
  // A later list replaces it only if the operator says that it is the same person.
  const later = list.replace('Ana@x.example', 'ana@new.example')
  expect(await importList(storage, later)).toContain(
    '  line 2: Participant 1, “Ana”, has the address “Ana@x.example”, but this row “ana@new.example”; row skipped. If ' +
      'this is the same person, add --same-person.\n',
  )
  expect(await readLogins(storage)).toEqual([
    [ana, 'ana@x.example'],
    [ben, 'ben@x.example'],
  ])
  expect(await importList(storage, later, '--same-person')).toContain(
    ': e-mail address “Ana@x.example” → “ana@new.example”, address to sign in with “ana@x.example” → “ana@new.example”\n',
  )
  expect(await readLogins(storage)).toEqual([
    [ana, 'ana@new.example'],
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
  expect((await new CodeBrowser(t).ask('mallory@x.example')).code).toBe(1000)
  const browser = new CodeBrowser(t)
  await browser.ask('ana@x.example')
  expect((await browser.redeem(await codeOf(mail, 1))).code).toBe(1000)
  expect(make.only(mail.received).to).toEqual(['ana@x.example'])
  expect((await browser.client.getMe({})).me.participant?.id).toBe(String(ana))
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

const newAddress = 'ana@new.example'

test('a participant changes the address with a code to the old and one to the new', async () => {
  await using t = await startAppWithMail()
  const browser = await signInAna(t)
  const codes = await askForChange(t, browser)
  expect((await browser.client.changeLoginEmail(codes)).me.login_email).toBe(newAddress)
  // The session stays.
  expect(await make.codeOf(browser.client.call('changeLoginEmail', codes))).toBe(4031)

  const mails = t.received.length
  const elsewhere = new CodeBrowser(t)
  await elsewhere.ask(anasAddress)
  await elsewhere.ask(newAddress)
  expect((await elsewhere.redeem(await codeOf(t, mails + 1))).code).toBe(1000)
})

test('a participant without an address to sign in with gets one from an organizer only', async () => {
  await using t = await startAppWithMail()
  const { envelope } = await t.ben.client.call('requestLoginEmailChange', { email: newAddress })
  expect(envelope.data).toMatchObject({ reason: 'NO_LOGIN_EMAIL' })
})

test('imports, sign-in and the desk take every spelling of an address for the same', async () => {
  await using mail = await startMailServer()
  await using storage = await createTestStorage()
  await importList(storage, 'name,email\nAna Cruz,\u200BAna@Bücher.example\u00A0\nBen Ito,ben@x.example\n')
  const email = 'ana@xn--bcher-kva.example'
  expect(await readLogins(storage)).toEqual([
    [ana, email],
    [ben, 'ben@x.example'],
  ])
  await using t = await startTestAppOn(storage, { ...members, ...mailSettings(mail) })
  const browser = new CodeBrowser(t)
  expect((await browser.ask(' ana@BÜCHER.example\uFEFF')).code).toBe(1000)
  expect((await browser.redeem(await codeOf(mail, 1))).code).toBe(1000)
  // The mail server of the tests decodes the domain.
  expect(make.only(mail.received).to).toEqual(['ana@bücher.example'])
  const given = await runSummitInProcess(['participant', 'login', '2', 'ana@bücher.example'], {
    ...storage.settings,
    ...members,
  })
  expect(given).toMatchObject({ code: 1, err: 'Another participant signs in with this address.\n' })
})
