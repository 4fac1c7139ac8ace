import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { removeParticipants } from '../../src/server/domains/participants/stored-participants.ts'
import { commandScope } from '../../src/server/scope.ts'
import { startOtherServer, startTestApp } from '../app.ts'
import { DataFolder } from '../faults/data-folder.ts'
import { startUpload } from '../faults/upload-in-progress.ts'
import * as make from '../make.ts'
import { setUpSharedAppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { appOrigin, origins } from './origins.ts'
import { codeOf, inviteAsOrganizer, sendInvitation, signInAsOrganizer, signInAsParticipant } from './sessions.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const eva = 'eva@summit.example'

describe('signing in', () => {
  test('an invited organizer gets a cookie of the host alone, and is who was invited', async () => {
    await using t = await startAppWithKeys('members')
    const { setCookie, client } = await signInAsOrganizer(t, ' Eva@Summit.example', ['editor', 'owner'])
    expect(setCookie).toMatch(
      /^__Host-summit=smt_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    )
    expect((await client.getMe({})).me).toEqual({
      ...{ participant: null, sharing: null, login_email: '', identity: null },
      organizer: { id: '1', email: eva, roles: ['owner', 'editor'], created_at: '2030-05-01 09:00:00' },
      roles: ['owner', 'editor'],
    })
  })

  test('an invited participant writes as themselves, with the cookie alone', async () => {
    await using t = await startAppWithKeys('members')
    const { setCookie, client } = await signInAsParticipant(t, t.ana.participant)
    expect(setCookie).toContain('; SameSite=Lax; ')
    const { NewsFeed } = await client.createTopic({ name: 'Lunch is served', created_by: t.ana.participant })
    expect(make.only(NewsFeed).author.id).toBe(String(t.ana.participant))
    expect(await make.codeOf(client.call('listOrganizers', {}))).toBe(4030)
  })

  test('an invitation ends after 14 days, and with the next one', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['owner'])
    t.advance(14 * day)
    expect((await sendInvitation(t.url, token)).response_code).toBe(4031)
    const replaced = await inviteAsOrganizer(t, eva, ['owner'])
    const current = await inviteAsOrganizer(t, eva, ['owner'])
    expect((await sendInvitation(t.url, replaced)).response_code).toBe(4031)
    t.advance(14 * day - 1)
    expect((await sendInvitation(t.url, current)).response_code).toBe(1000)
  })

  test('again ends the session of the same browser, and a cookie that is no longer valid does not stand in the way', async () => {
    await using t = await startAppWithKeys('public')
    const first = await signInAsOrganizer(t, eva, ['owner'])
    const again = await inviteAsOrganizer(t, eva, ['owner'])
    expect((await sendInvitation(t.url, again, first.headers)).response_code).toBe(1000)
    expect(await codeOf(first)).toBe(4010)
    const third = await inviteAsOrganizer(t, eva, ['owner'])
    expect((await sendInvitation(t.url, third, first.headers)).response_code).toBe(1000)
  })
})

describe('a session', () => {
  test('ends at once when its owner signs out, on every server', async () => {
    await using t = await startAppWithKeys('members')
    await using other = await startOtherServer(t)
    const session = await signInAsOrganizer(t, eva, ['owner'])
    const elsewhere = { ...session, client: createClient(other.url, { headers: session.headers }) }
    expect([await codeOf(session), await codeOf(elsewhere)]).toEqual([1000, 1000])
    const { headers } = await session.client.call('signOut', {})
    expect(headers.get('set-cookie')).toBe('__Host-summit=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0')
    expect([await codeOf(elsewhere), await codeOf(session)]).toEqual([4010, 4010])
  })

  test('has the roles of its organizer at any moment, on every server', async () => {
    await using t = await startAppWithKeys('members')
    await using other = await startOtherServer(t)
    const owner = await signInAsOrganizer(t, eva, ['owner'])
    const session = await signInAsOrganizer(t, 'mo@summit.example', ['moderator'])
    const elsewhere = createClient(other.url, { headers: session.headers })
    const post = () => make.codeOf(elsewhere.call('createTopic', { name: 'Lunch is served', created_by: 1 }))
    expect(await post()).toBe(1000)
    await owner.client.changeOrganizerRoles({ organizer_id: 2, roles: 'desk' })
    expect(await post()).toBe(4030)
    expect((await elsewhere.getMe({})).me.roles).toEqual(['desk'])
    await owner.client.removeOrganizer({ organizer_id: 2 })
    expect(await post()).toBe(4010)
  })

  test('that loses a role during an upload stores nothing', async () => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsOrganizer(t, eva, ['moderator', 'desk'])
    using upload = await startUpload(t.url, new DataFolder(t.dataDir), headers)
    await t.owner.client.changeOrganizerRoles({ organizer_id: 1, roles: 'desk' })
    expect(await upload.finish()).toBe(4030)
    expect(await t.ctx.database.read.selectFrom('topic').selectAll().execute()).toEqual([])
  })

  test('is listed and revoked by its owner only', async () => {
    await using t = await startAppWithKeys('members')
    const [phone, laptop] = [
      await signInAsParticipant(t, t.ana.participant),
      await signInAsParticipant(t, t.ana.participant),
    ]
    const { credentials } = await phone.client.listCredentials({})
    expect(credentials.map(({ kind, is_current }) => [kind, is_current])).toEqual([
      ['session', false],
      ['session', true],
      ['bearer', false],
    ])
    const credential_id = Number(credentials[0]?.id)
    const { envelope } = await t.ben.client.call('revokeCredential', { credential_id })
    expect(envelope).toMatchObject({ response_code: 4040, data: { reason: 'CREDENTIAL_NOT_FOUND' } })
    expect(await codeOf(laptop)).toBe(1000)
    await phone.client.revokeCredential({ credential_id })
    expect([await codeOf(laptop), await codeOf(phone)]).toEqual([4010, 1000])
    expect(await make.codeOf(phone.client.call('revokeCredential', { credential_id }))).toBe(4040)
    const own = Number(credentials[1]?.id)
    const { headers } = await phone.client.call('revokeCredential', { credential_id: own })
    expect(headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await codeOf(phone)).toBe(4010)
  })

  test('is one credential: with a second, or in another place, a request is refused', async () => {
    await using t = await startAppWithKeys('public')
    const { headers } = await signInAsParticipant(t, t.ana.participant)
    const { cookie = '' } = headers
    const secret = cookie.split('=')[1] ?? ''
    const key = (t.ana.headers.authorization ?? '').split(' ')[1]
    const code = async (sent: Record<string, string>) =>
      (await make.send(t, 'GET', '/api/newsfeeds/topics/0/10', undefined, sent)).response_code
    expect(await code({ cookie: `theme=dark; ${cookie}; x__Host-summit=y` })).toBe(1000)
    for (const sent of [
      { cookie, ...t.ana.headers },
      { cookie: `${cookie}; ${cookie}` },
      { cookie: `${cookie}; __Host-summit=` },
      { cookie: '__Host-summit=' },
      { cookie: `__Host-summit=smt_${'A'.repeat(43)}` },
      { cookie: `__Host-summit=${key}` },
      { authorization: `Bearer ${secret}` },
    ])
      expect(await code(sent), JSON.stringify(Object.keys(sent))).toBe(4010)
  })

  test('ends when its participant is deleted', async () => {
    await using t = await startAppWithKeys('members')
    const session = await signInAsParticipant(t, t.ana.participant)
    expect(await codeOf(session)).toBe(1000)
    await t.ctx.database.transaction((tx) => removeParticipants(commandScope(t.ctx, tx, 'test'), [t.ana.participant]))
    expect(await codeOf(session)).toBe(4010)
  })
})

describe('a write with the cookie', () => {
  const app = setUpSharedAppWithKeys('public', { CORS_ORIGINS: appOrigin })

  test.each([...origins, { from: 'no page', headers: {}, isOurs: false }])(
    'from $from',
    async ({ headers: sent, isOurs }) => {
      const code = isOurs ? 1000 : 4030
      const t = app()
      const { NewsFeed } = await t.ana.client.createTopic({ name: 'Lunch', created_by: t.ana.participant })
      const { headers } = await signInAsParticipant(t, t.ana.participant)
      const write = async (body: string, type: string, path = '/api/newsfeeds/topics/create', method = 'POST') => {
        const cookie = headers.cookie ?? ''
        const init = { method, headers: { cookie, 'content-type': type, ...sent }, ...(method === 'POST' && { body }) }
        const response = await fetch(t.url + path, init)
        expect(response.headers.get('access-control-allow-credentials')).toBe(null)
        const [envelope] = (await response.json()) as [{ response_code: number; data: { reason?: string } }]
        if (envelope.response_code === 4030) expect(envelope.data.reason).toBe('CROSS_ORIGIN')
        return envelope.response_code
      }
      expect(await write('{"name":"Lunch is served"}', 'application/json')).toBe(code)
      expect(await write('name=Lunch', 'application/x-www-form-urlencoded')).toBe(code)
      const path = `/api/newsfeeds/topics/${make.only(NewsFeed).id}/delete`
      expect(await write('', '', path, 'DELETE')).toBe(code === 1000 ? 2000 : code)
      // A key is not sent by itself.
      expect(
        await make.codeOf(t.ana.client.call('createTopic', { name: 'Lunch', created_by: t.ana.participant })),
      ).toBe(1000)
    },
  )
})

test('where ACCESS is open, the cookie of a session changes nothing', async () => {
  await using t = await startTestApp()
  const read = async (headers: Record<string, string>) =>
    (await make.send(t, 'POST', '/api/newsfeeds/topics/create', '{"name":"x","created_by":1}', headers)).response_code
  expect([await read({}), await read({ cookie: '__Host-summit=x; __Host-summit=y' })]).toEqual([1000, 1000])
})
