import { describe, expect, test } from 'vitest'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant, signInWith } from './sessions.ts'

// What somebody cannot do with a credential that is easily had: an invitation of somebody else, or an address in a log.

const day = 24 * 60 * 60 * 1000

/** The desk invites Ana, and signs in with the link itself. */
async function signInAsAnaFromDesk(t: AppWithKeys) {
  const desk = await signInAsOrganizer(t, 'desk@summit.example', ['desk'])
  const { invitation } = await desk.client.inviteParticipant({ participantId: t.ana.participant })
  return { desk, session: await signInWith(t.url, new URL(invitation.link).hash.slice(1)) }
}

const tooNew = { response_code: 4030, data: { reason: 'SESSION_TOO_NEW' } }

describe('an organizer at the desk who signs in as a participant', () => {
  test('cannot erase them for a day', async () => {
    await using t = await startAppWithKeys('members')
    const { session } = await signInAsAnaFromDesk(t)
    const confirmed = { participant_id: t.ana.participant }
    expect((await session.client.call('eraseOwnData', confirmed)).envelope).toMatchObject(tooNew)
    t.advance(day - 1)
    expect((await session.client.call('eraseOwnData', confirmed)).envelope).toMatchObject(tooNew)
    expect((await t.ana.client.getMe({})).me.participant?.email).toBe('ana@summit.example')
    t.advance(1)
    expect(await make.codeOf(session.client.call('eraseOwnData', confirmed))).toBe(1000)
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

test('a personal address reads whose it is, and nothing else about them', async () => {
  await using t = await startAppWithKeys('members')
  const { client } = await t.issuePersonalAddress(t.ana.participant)
  expect((await client.getMe({})).me.participant?.email).toBe('ana@summit.example')
  const codes = [
    make.codeOf(client.call('eraseOwnData', { participant_id: t.ana.participant })),
    make.codeOf(client.call('planErasure', {})),
    make.codeOf(client.call('revokeCredential', { credential_id: t.ana.id })),
    make.codeOf(client.call('listCredentials', {})),
    make.codeOf(client.call('updateSharing', { email: true })),
  ]
  expect(await Promise.all(codes)).toEqual(Array(codes.length).fill(4030))
  expect((await t.ana.client.getMe({})).me.participant?.email).toBe('ana@summit.example')
})

test('the change log names the credential of every privileged act, also after it has ended', async () => {
  await using t = await startAppWithKeys('members')
  const { client } = t.owner
  await client.inviteOrganizer({ email: 'mo@summit.example', roles: 'desk' })
  await client.changeOrganizerRoles({ organizer_id: 1, roles: 'editor' })
  await client.removeOrganizer({ organizer_id: 1 })
  await client.inviteParticipant({ participantId: t.ana.participant })
  await t.ana.client.updateSharing({ email: true })
  await t.ben.client.revokeCredential({ credential_id: t.ben.id })
  await t.ana.client.eraseOwnData({ participant_id: t.ana.participant })
  const changes = await t.ctx.database.read.selectFrom('change').selectAll().orderBy('id').execute()
  const acts = (id: number) => changes.filter((row) => row.credential_id === id).map(({ kind }) => kind)
  expect(acts(t.owner.id)).toEqual([
    'organizer.created',
    'credential.created',
    'organizer.updated',
    'credential.revoked',
    'organizer.removed',
    'credential.created',
  ])
  expect(acts(t.ben.id)).toEqual(['credential.revoked'])
  expect(acts(t.ana.id)).toEqual([
    'sharing.updated',
    'participant.files_erased',
    'participant.deleted',
    'participant.forgotten',
  ])
})
