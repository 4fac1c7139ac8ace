import { describe, expect, test } from 'vitest'
import { noOrganizer } from '../../src/server/core/ids.ts'
import { removeParticipants } from '../../src/server/domains/participants/stored-participants.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { type AppWithKeys, setUpSharedAppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { appOrigin, origins } from './origins.ts'
import { inviteAsOrganizer, inviteAsParticipant, ownPage, sendInvitation, signInAsOrganizer } from './sessions.ts'

const path = '/api/sign-in/invitation'
const eva = 'eva@summit.example'
const unknownToken = `smt_${'A'.repeat(43)}`

const invitations = (t: AppWithKeys) =>
  t.ctx.database.read
    .selectFrom('credential')
    .selectAll()
    .where('kind', '=', 'invitation')
    .where('revoked_at', '=', 0)
    .execute()
const sessions = (t: AppWithKeys) =>
  t.ctx.database.read.selectFrom('credential').selectAll().where('kind', '=', 'session').execute()

test.each([[0xa0], [0x85], [0x0b]])(
  'a cookie whose name begins with byte %i is not that of the session',
  async (byte) => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsOrganizer(t, eva, ['owner'])
    const read = (before: string) =>
      `GET /api/me HTTP/1.1\r\nHost: h.test\r\nCookie: theme=dark;${before}${headers.cookie}\r\n\r\n`
    const codeOf = async (request: string) =>
      Number(/"response_code":(\d+)/.exec(await sendRawRequests(t, request, 'latin1'))?.[1])
    expect([await codeOf(read(' \t')), await codeOf(read(''))]).toEqual([1000, 1000])
    expect(await codeOf(read(String.fromCharCode(byte)))).not.toBe(1000)
  },
)

test('an unknown token is refused while a write is in progress', async () => {
  await using t = await startAppWithKeys('members')
  await t.ctx.database.transaction(async () => {
    for (const token of ['x', unknownToken])
      expect((await sendInvitation(t.url, token)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
  })
})

describe('the body of a sign-in', () => {
  test('has at most 16 KiB, in any encoding', async () => {
    await using t = await startAppWithKeys('members')
    const long = 'x'.repeat(16 * 1024)
    const form = new FormData()
    form.append('token', long)
    for (const body of [JSON.stringify({ token: long }), new URLSearchParams({ token: long }), form])
      expect((await make.send(t, 'POST', path, body, ownPage)).data).toMatchObject({ reason: 'TOO_LARGE' })
  })

  test('with a file is refused before the file is stored', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['owner'])
    const form = new FormData()
    form.append('token', token)
    form.append('uploaded_files', new File(['x'], 'x.txt'))
    expect((await make.send(t, 'POST', path, form, ownPage)).data).toMatchObject({ reason: 'TOO_MANY_FILES' })
    expect(await sessions(t)).toEqual([])
  })

  test('is refused by its announced length', async () => {
    await using t = await startAppWithKeys('members')
    const head = `POST ${path} HTTP/1.1\r\nHost: h.test\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 20000\r\nConnection: close\r\n\r\n`
    expect(await sendRawRequests(t, head)).toContain('"reason":"TOO_LARGE"')
  })
})

describe('an invitation is redeemed, without a cookie, by', () => {
  const app = setUpSharedAppWithKeys('public', { CORS_ORIGINS: appOrigin })

  test.each([...origins, { from: 'no page', headers: {}, isOurs: true }])(
    '$from: $isOurs',
    async ({ headers, isOurs }) => {
      const t = app()
      for (const encode of [JSON.stringify, (fields: Record<string, string>) => new URLSearchParams(fields)]) {
        const token = await inviteAsOrganizer(t, eva, ['owner'])
        const response = await make.send(t, 'POST', path, encode({ token }), headers)
        expect([response.response_code, response.headers.has('set-cookie')]).toEqual([isOurs ? 1000 : 4030, isOurs])
        expect(await invitations(t)).toHaveLength(isOurs ? 0 : 1)
      }
    },
  )
})

test('nobody signs in at a secret URL or with a key, also with one that was revoked', async () => {
  await using t = await startAppWithKeys('public')
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  const personal = await t.issuePersonalUrl(t.ana.participant)
  const app = await t.issueAppUrl()
  const redeemAs = async ({ prefix, headers }: typeof personal) =>
    (await make.send(t, 'POST', prefix + path, JSON.stringify({ token }), { ...ownPage, ...headers })).data
  for (const holder of [personal, app, t.ana, t.owner])
    expect(await redeemAs(holder)).toMatchObject({ reason: 'FORBIDDEN' })
  for (const holder of [personal, app, t.ana]) {
    await t.revoke(holder)
    expect(await redeemAs(holder)).toMatchObject({ reason: 'UNAUTHENTICATED' })
  }
  expect((await sendInvitation(t.url, token, { cookie: `__Host-summit=${unknownToken}` })).response_code).toBe(1000)
})

describe('an invitation of somebody who is gone is invalid:', () => {
  test('of a participant', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsParticipant(t, t.ana.participant)
    await inCommand(t, async (scope) => {
      await removeParticipants(scope, [t.ana.participant])
    })
    await t.ctx.database.transaction((db) => db.updateTable('credential').set({ revoked_at: 0 }).execute())
    expect((await sendInvitation(t.url, token)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
  })

  test('of an organizer', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['desk'])
    await t.ctx.database.transaction((db) => db.updateTable('organizer').set({ removed_at: 1 }).execute())
    expect((await sendInvitation(t.url, token)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
  })

  test('of neither', async () => {
    await using t = await startAppWithKeys('members')
    const token = await inviteAsOrganizer(t, eva, ['desk'])
    await t.ctx.database.transaction((db) => db.updateTable('credential').set({ organizer_id: noOrganizer }).execute())
    const response = await make.send(t, 'POST', path, JSON.stringify({ token, email: eva }), ownPage)
    expect(response.data).toMatchObject({ reason: 'INVITATION_INVALID' })
  })
})
