import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { day, erase, signInAsAnaFromDesk } from './authority.fixtures.ts'
import { cookieOf, ownPage, sendInvitation, tokenOf } from './sessions.ts'

// The limits of a credential that is easily had: an invitation of somebody else, or a URL in a log.

describe('an organizer at the desk who signs in as a participant', () => {
  test('cannot erase them, however long they wait', async () => {
    await using t = await startAppWithKeys('members')
    const { desk, session } = await signInAsAnaFromDesk(t)
    const { invitation } = await desk.client.inviteParticipant({ participantId: t.ana.participant })
    const retried = { 'idempotency-key': 'retried' }
    await sendInvitation(t.url, tokenOf({ invitation }), retried)
    const response = await sendInvitation(t.url, tokenOf({ invitation }), retried)
    const again = createClient(t.url, { headers: { ...ownPage, cookie: cookieOf(response) } })
    t.advance(30 * day)
    for (const client of [session.client, again])
      expect(await erase({ client }, t.ana.participant)).toMatchObject({
        response_code: 4030,
        data: { reason: 'SESSION_FROM_DESK' },
      })
    expect((await t.ana.client.getMe({})).me.participant?.email).toBe('ana@summit.example')
  })
})

test('a key of nobody in particular lists and revokes only itself', async () => {
  await using t = await startAppWithKeys('members')
  const reader = await t.issueKey({ roles: ['reader'] })
  const { credentials } = await t.owner.client.listCredentials({})
  expect(credentials.map(({ id }) => Number(id))).toEqual([t.owner.id])
  expect(await make.codeOf(t.owner.client.call('revokeCredential', { credential_id: reader.id }))).toBe(4040)
})

test('a personal URL reads whose it is, and nothing else about them', async () => {
  await using t = await startAppWithKeys('members')
  const { client } = await t.issuePersonalUrl(t.ana.participant)
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
