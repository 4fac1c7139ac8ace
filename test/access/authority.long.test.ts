import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import type { Role } from '../../src/contract/access.ts'
import { assertMayChange } from '../../src/server/auth/policies.ts'
import { findCurrent } from '../../src/server/auth/principals.ts'
import { noParticipant, type ParticipantId } from '../../src/server/core/ids.ts'
import type { Principal } from '../../src/server/core/principal.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { day, erase, signInAsAnaFromDesk } from './authority.fixtures.ts'
import { type AppWithMail, askAs, CodeBrowser, setLogin, startAppWithMail } from './codes.ts'
import { askForChange } from './login-emails.ts'
import { sendInvitation, signInAsOrganizer, signInAsParticipant, signInWith, tokenOf } from './sessions.ts'

const fromDesk = { response_code: 4030, data: { reason: 'SESSION_FROM_DESK' } }

const tooNew = { response_code: 4030, data: { reason: 'SESSION_TOO_NEW' } }

describe('an organizer at the desk who signs in as a participant', () => {
  test('cannot erase them with a code to an address that they set or changed, until an owner sets it', async () => {
    await using t = await startAppWithMail()
    const participantId = t.ben.participant
    const signIn = async (email: string) => {
      const browser = new CodeBrowser(t)
      expect((await browser.redeem(await askAs(t, browser, email))).code).toBe(1000)
      t.advance(day)
      return browser
    }
    const { client: desk } = await t.issueKey({ roles: ['desk'] })
    await desk.setLoginEmail({ participantId, email: 'desk@login.example' })
    const browser = await signIn('desk@login.example')
    expect(await erase(browser, participantId)).toMatchObject(fromDesk)
    const codes = await askForChange(t, browser, 'other@login.example', 'desk@login.example')
    await browser.client.changeLoginEmail(codes)
    expect(await erase(await signIn('other@login.example'), participantId)).toMatchObject(fromDesk)
    // Setting the same address again makes it nobody else's.
    await desk.setLoginEmail({ participantId, email: 'other@login.example' })
    expect(await erase(await signIn('other@login.example'), participantId)).toMatchObject(fromDesk)
    await setLogin(t, participantId, 'other@login.example')
    expect(await erase(await signIn('other@login.example'), participantId)).toMatchObject({ response_code: 1000 })
  })

  test('is seen by them, and named by the change log', async () => {
    await using t = await startAppWithKeys('members')
    const { desk } = await signInAsAnaFromDesk(t)
    const { credentials } = await t.ana.client.listCredentials({})
    expect(credentials.map(({ kind, label }) => [kind, label])).toEqual([
      ['session', expect.stringContaining('Invited by an organizer')],
      ['bearer', 'test'],
    ])
    const [own] = (await desk.client.listCredentials({})).credentials
    const changes = await t.ctx.database.read
      .selectFrom('change')
      .innerJoin('credential', 'credential.id', 'change.record_id')
      .select(['change.kind', 'change.credential_id'])
      .where('credential.kind', '=', 'invitation')
      .where('credential.participant_id', '=', t.ana.participant)
      .orderBy('change.id')
      .execute()
    expect(changes).toEqual([
      { kind: 'credential.created', credential_id: Number(own?.id) },
      { kind: 'credential.redeemed', credential_id: 0 },
    ])
  })

  test('cannot become one who holds a key with roles; an owner can', async () => {
    await using t = await startAppWithKeys('members')
    await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
    const desk = await signInAsOrganizer(t, 'desk@summit.example', ['desk'])
    const invite = { participantId: t.ana.participant }
    expect((await desk.client.call('inviteParticipant', invite)).envelope).toMatchObject({
      response_code: 4030,
      data: { reason: 'FORBIDDEN' },
    })
    const email = 'desk@summit.example'
    expect(await make.codeOf(desk.client.call('setLoginEmail', { ...invite, email }))).toBe(4030)
    expect(await make.codeOf(t.owner.client.call('setLoginEmail', { ...invite, email }))).toBe(1000)
    expect(await make.codeOf(desk.client.call('inviteParticipant', { participantId: t.ben.participant }))).toBe(1000)
    expect(await make.codeOf(t.owner.client.call('inviteParticipant', invite))).toBe(1000)
  })
})

describe('once a participant holds a key with roles, the desk has let nobody sign in as them', () => {
  /** Everything that an organizer at the desk, or an owner, gives out to sign in as Ana. */
  const letSignIn = async (t: AppWithMail, organizer: Client, email: string) => {
    const participantId = t.ana.participant
    await organizer.setLoginEmail({ participantId, email })
    const byCode = new CodeBrowser(t)
    await byCode.redeem(await askAs(t, byCode, email))
    const waiting = new CodeBrowser(t)
    const code = await askAs(t, waiting, email)
    const used = await signInWith(t.url, tokenOf(await organizer.inviteParticipant({ participantId })))
    const unused = tokenOf(await organizer.inviteParticipant({ participantId }))
    return { byCode, waiting, code, used, unused }
  }
  const outcomes = async (
    t: AppWithMail,
    { byCode, waiting, code, used, unused }: Awaited<ReturnType<typeof letSignIn>>,
  ) => [
    await make.codeOf(byCode.client.call('getMe', {})),
    await make.codeOf(used.client.call('getMe', {})),
    (await sendInvitation(t.url, unused)).response_code,
    (await waiting.redeem(code)).code,
    (await t.ana.client.getMe({})).me.login_email,
  ]

  test('what the desk has given out ends with the creation of the key', async () => {
    await using t = await startAppWithMail()
    const desk = await signInAsOrganizer(t, 'desk@summit.example', ['desk'])
    const given = await letSignIn(t, desk.client, 'desk@login.example')
    const personal = await t.issuePersonalUrl(t.ana.participant)
    await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
    expect(await outcomes(t, given)).toEqual([4010, 4010, 4031, 4031, ''])
    expect(await make.codeOf(personal.client.call('getMe', {}))).toBe(1000)
    await setLogin(t, t.ana.participant, 'ana@login.example')
    const browser = new CodeBrowser(t)
    expect((await browser.redeem(await askAs(t, browser, 'ana@login.example'))).code).toBe(1000)
  })

  test('what an owner has given out stays, as for a key without roles and for other participants', async () => {
    await using t = await startAppWithMail()
    const ofOwner = await letSignIn(t, t.owner.client, 'owner@login.example')
    await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
    await t.issueKey({ participant: t.ben.participant, roles: ['editor'] })
    expect(await outcomes(t, ofOwner)).toEqual([1000, 1000, 1000, 1000, 'owner@login.example'])

    await using other = await startAppWithMail()
    const desk = await signInAsOrganizer(other, 'desk@summit.example', ['desk'])
    const given = await letSignIn(other, desk.client, 'desk@login.example')
    await other.issueKey({ participant: other.ana.participant })
    await other.issueKey({ roles: ['owner'] })
    expect(await outcomes(other, given)).toEqual([1000, 1000, 1000, 1000, 'desk@login.example'])
  })

  test('an invitation and a code from the desk are refused when they are used, too', async () => {
    await using t = await startAppWithMail()
    const desk = await signInAsOrganizer(t, 'desk@summit.example', ['desk'])
    const given = await letSignIn(t, desk.client, 'desk@login.example')
    const retried = { 'idempotency-key': 'retried' }
    const started = tokenOf(await desk.client.inviteParticipant({ participantId: t.ana.participant }))
    expect((await sendInvitation(t.url, started, retried)).response_code).toBe(1000)
    const unused = tokenOf(await desk.client.inviteParticipant({ participantId: t.ana.participant }))
    // As by a version that ended nothing.
    const roles = { participant_id: t.ana.participant, roles: 'editor' }
    await t.ctx.database.transaction((db) =>
      db.updateTable('credential').set(roles).where('id', '=', t.ana.id).execute(),
    )
    expect((await sendInvitation(t.url, unused)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
    expect((await sendInvitation(t.url, started, retried)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
    expect((await given.waiting.redeem(given.code)).reason).toBe('CODE_INVALID')
  })
})

test('a session by an invitation of an owner can erase its participant after a day', async () => {
  await using t = await startAppWithKeys('members')
  const { participant } = t.ana
  const session = await signInWith(
    t.url,
    tokenOf(await t.owner.client.inviteParticipant({ participantId: participant })),
  )
  expect(await erase(session, participant)).toMatchObject(tooNew)
  t.advance(day - 1)
  expect(await erase(session, participant)).toMatchObject(tooNew)
  t.advance(1)
  const { envelope, headers } = await session.client.call('eraseOwnData', { participant_id: participant })
  expect(envelope.response_code).toBe(1000)
  expect(headers.get('set-cookie')).toMatch(/^__Host-summit=;.*Max-Age=0/)
})

describe('a participant who also holds a key with roles', () => {
  test('ends it only with a credential that has these roles', async () => {
    await using t = await startAppWithKeys('members')
    const session = await signInAsParticipant(t, t.ana.participant)
    const editor = await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
    t.advance(day)
    const confirmed = { participant_id: t.ana.participant }
    for (const { client } of [session, t.ana]) {
      expect(await make.codeOf(client.call('revokeCredential', { credential_id: editor.id }))).toBe(4030)
      expect(await make.codeOf(client.call('eraseOwnData', confirmed))).toBe(4030)
    }
    expect((await editor.client.getMe({})).me.roles).toEqual(['editor'])
    expect(await make.codeOf(editor.client.call('eraseOwnData', confirmed))).toBe(1000)
  })

  test('revokes it with it', async () => {
    await using t = await startAppWithKeys('members')
    const editor = await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
    expect(await make.codeOf(editor.client.call('revokeCredential', { credential_id: editor.id }))).toBe(2000)
    expect(await make.codeOf(editor.client.call('getMe', {}))).toBe(4010)
  })
})

describe('the records of nobody', () => {
  test('are changed by organizers with the role, and not by an app or anyone else', async () => {
    await using t = await startAppWithKeys('members')
    const { id } = make.only((await t.owner.client.createTopic({ name: 'Lunch', created_by: 0 })).NewsFeed)
    const change = ({ client }: { client: Client }) =>
      make.codeOf(client.call('updateTopic', { topic_id: Number(id), name: 'Dinner' }))
    const refused = [t.ana, await t.issueAppUrl('change'), await t.issueKey({ roles: ['reader'] })]
    for (const sender of refused) expect(await change(sender)).toBe(4030)
    expect(await change(await t.issueKey({ roles: ['moderator'] }))).toBe(1000)
  })

  // The first check already refuses this sender; the one of the record does not rely on it.
  test('are not those of an organizer without the role who is not a participant', async () => {
    await using t = await startAppWithKeys('members')
    const mayChange = (roles: Role[]) =>
      inCommand(t, (scope) => {
        const principal: Principal = { ...scope.principal, audience: 'organizer', roles }
        return assertMayChange({ ...scope, principal, role: 'moderator' }, noParticipant)
      })
    await expect(mayChange(['reader'])).rejects.toMatchObject({ reason: 'FORBIDDEN' })
    await mayChange(['moderator'])
  })
})

test('a key with roles that has expired does not keep the desk from inviting its holder', async () => {
  await using t = await startAppWithKeys('members')
  await t.issueKey({ participant: t.ana.participant, roles: ['editor'], expiresAt: t.ctx.clock() + day })
  const { client } = await t.issueKey({ roles: ['desk'] })
  const invite = () => make.codeOf(client.call('inviteParticipant', { participantId: t.ana.participant }))
  expect(await invite()).toBe(4030)
  t.advance(day)
  expect(await invite()).toBe(1000)
})

test('an app writes for a participant who was invited, until they have signed in', async () => {
  await using t = await startAppWithKeys('members')
  const cleo = (await make.participant(t, { first_name: 'Cleo' })) as ParticipantId
  const app = await t.issueAppUrl()
  const post = () => make.codeOf(app.client.call('createTopic', { name: 'Lunch', created_by: cleo }))
  const { invitation } = await t.owner.client.inviteParticipant({ participantId: cleo })
  expect(await post()).toBe(1000)
  await signInWith(t.url, tokenOf({ invitation }))
  expect(await post()).toBe(4030)
})

test('a session that was idle for too long while a body arrived does not write', async () => {
  await using t = await startAppWithKeys('members')
  const session = await signInAsParticipant(t, t.ana.participant)
  const { credentials } = await session.client.listCredentials({})
  const current = make.only(credentials.filter(({ is_current }) => is_current))
  await inCommand(t, async (scope) => {
    const principal = { ...scope.principal, credential: Number(current.id) }
    expect(await findCurrent(scope.db, principal, scope.now + 29 * day)).toMatchObject({ kind: 'session' })
    const later = findCurrent(scope.db, principal, scope.now + 31 * day)
    await expect(later).rejects.toMatchObject({ reason: 'CREDENTIAL_EXPIRED' })
  })
})
