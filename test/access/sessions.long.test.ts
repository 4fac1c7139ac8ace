import { describe, expect, test } from 'vitest'
import { type Client, createClient, type EnvelopeResponse, isSuccess } from '../../src/client/client.ts'
import type { JsonOperationName } from '../../src/contract/index.ts'
import { createTestStorage, startOtherServer } from '../app.ts'
import { runSummit } from '../command.ts'
import { DataFolder } from '../faults/data-folder.ts'
import { createKeepAliveClient } from '../faults/keep-alive-client.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import { startUpload } from '../faults/upload-in-progress.ts'
import * as make from '../make.ts'
import { waitUntil } from '../wait-until.ts'
import { publicUrl, startAppWithKeys } from './app-with-keys.ts'
import {
  codeOf,
  cookieOf,
  inviteAsOrganizer,
  inviteAsParticipant,
  sendInvitation,
  signInAsOrganizer,
  signInAsParticipant,
  signInWith,
} from './sessions.ts'

const settingsOf = (storage: Record<string, string>) => ({ ...storage, ACCESS: 'members', PUBLIC_URL: publicUrl })

/** Invites somebody by the command. @returns the token */
async function invite(settings: Record<string, string>, email: string): Promise<string> {
  const { out } = await runSummit(['organizer', 'invite', email, '--role', 'owner'], settings)
  return /#(smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''
}

/** @returns the headers of a page with the new session, undefined if the response did not arrive or is a failure */
async function signIn(url: string, token: string): Promise<Record<string, string> | undefined> {
  const response = await sendInvitation(url, token).catch(() => undefined)
  const cookie = response && cookieOf(response)
  return cookie ? { cookie, 'sec-fetch-site': 'same-origin' } : undefined
}

/** An owner who stays one. @returns the headers of their session */
async function signInAsOwner(url: string, settings: Record<string, string>): Promise<Record<string, string>> {
  const headers = await signIn(url, await invite(settings, 'root@summit.example'))
  if (!headers) throw new Error('the owner is not signed in')
  return headers
}

type Call = () => Promise<EnvelopeResponse<JsonOperationName>>

/** A session of an organizer who is not the owner above. */
interface Session {
  organizer_id: number
  client: Client
  /** The client of an owner. */
  owner: Client
}

/** The ways to end a session or change its rights, each with the response code of {@link probe} from then on. */
const endings = {
  'a sign-out': [4010, ({ client }) => client.call('signOut', {})],
  'a revocation by its organizer': [
    4010,
    async ({ client }) => {
      const { credentials } = await client.listCredentials({})
      const { id } = make.only(credentials.filter(({ is_current }) => is_current))
      return client.call('revokeCredential', { credential_id: Number(id) })
    },
  ],
  'the removal of its organizer': [4010, ({ owner, organizer_id }) => owner.call('removeOrganizer', { organizer_id })],
  'the loss of a role': [
    4030,
    ({ owner, organizer_id }) => owner.call('changeOrganizerRoles', { organizer_id, roles: 'reader' }),
  ],
} satisfies Record<string, [number, (session: Session) => ReturnType<Call>]>

/** Needs the role of a moderator, and changes nothing: 4040 for one. */
const probe = (url: string, headers: Record<string, string>): Promise<number> =>
  make.codeOf(createClient(url, { headers }).call('deleteComment', { comment_id: 404 }))

/** The sign-ins and endings that each kill interrupts. */
const maxAcknowledged = 2 * Object.keys(endings).length + 1

test('a server that is killed 10 times loses no session or role, and resurrects none', async () => {
  await using storage = await createTestStorage()
  const settings = settingsOf(storage.settings)
  let server = await startServer(storage.dataDir, settings)
  const ownerHeaders = await signInAsOwner(server.url, settings)
  /** The response code of the probe of each session, by the writes that were acknowledged. */
  const acknowledged = new Map<Record<string, string>, number>()
  let unknown = 0
  try {
    for (let kill = 1; kill <= 10; kill++) {
      const { url } = server
      const owner = createClient(url, { headers: ownerHeaders })
      const invite = (nth: number) =>
        owner.inviteOrganizer({ email: `${nth}.${kill}@summit.example`, roles: 'moderator' })
      // One more than endings, whose session stays.
      const invitations = await Promise.all([...Object.keys(endings), 'none'].map((_, nth) => invite(nth)))
      const tokens = invitations.map(({ invitation }) => new URL(invitation.link).hash.slice(1))
      // The first kill follows the first response, and the last ones follow the last.
      let left = Math.min(kill, maxAcknowledged)
      const acknowledge = () => {
        if (--left === 0) void server.kill('SIGKILL')
      }
      await Promise.all(
        tokens.map(async (token, nth) => {
          const session = await signIn(url, token)
          if (!session) return unknown++
          acknowledge()
          const [code, end] = Object.values(endings)[nth] ?? [4040]
          if (!end) return acknowledged.set(session, code)
          const organizer_id = Number(invitations[nth]?.organizer.id)
          const ended = end({ organizer_id, client: createClient(url, { headers: session }), owner })
          // Without a response, it may have ended or not.
          const isEnded = await ended.then(
            ({ envelope }) => isSuccess(envelope),
            () => false,
          )
          if (!isEnded) return unknown++
          acknowledge()
          return acknowledged.set(session, code)
        }),
      )
      await server.kill('SIGKILL')
      server = await startServer(storage.dataDir, settings)
      expect(await probe(server.url, ownerHeaders), `kill ${kill}`).toBe(4040)
      for (const [session, code] of acknowledged) expect(await probe(server.url, session), `kill ${kill}`).toBe(code)
      // An invitation whose use was acknowledged is used up; any other is used or not, but never twice.
      for (const token of tokens) await signIn(server.url, token)
      for (const token of tokens) expect((await sendInvitation(server.url, token)).response_code).toBe(4031)
    }
    const counts = [4040, 4010, 4030].map((code) => [...acknowledged.values()].filter((one) => one === code).length)
    const [open, ended, changed] = counts
    console.log(`kill -9: sessions: ${open} open, ${ended} ended, ${changed} without the role, ${unknown} unknown`)
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(server.stderr()).toBe('')
  } finally {
    await server.kill('SIGKILL')
  }
})

const clients = 20

/** Requests of each client that begin after the ending. */
const requestsAfter = 50

test.each(Object.entries(endings))(
  'of 1,000 requests of a session that begin after %s under load, none succeeds that must not, on any worker or server',
  async (_, [refused, end]) => {
    await using storage = await createTestStorage()
    await using stack = new AsyncDisposableStack()
    const settings = { ...settingsOf(storage.settings), WORKERS: '2' }
    const servers: ReadyServer[] = []
    for (let nth = 0; nth < ('DATABASE_URL' in storage.settings ? 2 : 1); nth++)
      servers.push(stack.use(await startServer(storage.dataDir, settings)))
    const urls = servers.map(({ url }) => url)
    const [first = ''] = urls
    const owner = createClient(first, { headers: await signInAsOwner(first, settings) })
    const headers = (await signIn(first, await invite(settings, 'eva@summit.example'))) ?? {}
    const client = createClient(first, { headers })
    const organizer_id = Number((await client.getMe({})).me.organizer?.id)
    await client.createTopic({ name: 'Lunch is served', created_by: 1 })

    let endedAt = Number.POSITIVE_INFINITY
    const outcomes: { beganAt: number; turn: number; code: number }[] = []
    const running = Array.from({ length: clients }, async (_, nth) => {
      using target = createKeepAliveClient(
        urls[nth % urls.length] ?? '',
        { completed: 0, refused: 0, lost: [] },
        { bodyMs: () => 0 },
      )
      const turns: Call[] = [
        () => target.client.call('updateTopic', { topic_id: 1, name: 'Lunch is served', updated_by: 1 }, { headers }),
        () => target.client.call('listOrganizers', {}, { headers }),
        () => target.client.call('getTopic', { topic_id: 1 }, { headers }),
        () => target.client.call('getMe', {}, { headers }),
      ]
      for (let sent = 0, after = 0; after < requestsAfter; sent++) {
        const turn = sent % turns.length
        const beganAt = performance.now()
        if (beganAt > endedAt) after++
        outcomes.push({ beganAt, turn, code: await make.codeOf((turns[turn] as Call)()) })
      }
    })
    const ending = async () => {
      await waitUntil('requests get responses', () => outcomes.length > 1_000)
      expect(isSuccess((await end({ organizer_id, client, owner })).envelope)).toBe(true)
      endedAt = performance.now()
    }
    await Promise.all([ending(), ...running])

    const before = outcomes.filter(({ beganAt }) => beganAt <= endedAt)
    for (const turn of [0, 1, 2, 3]) expect(before.some((one) => one.turn === turn && one.code === 1000)).toBe(true)
    expect([...new Set(before.map(({ code }) => code))].filter((code) => code !== 1000 && code !== refused)).toEqual([])
    const after = outcomes.filter(({ beganAt }) => beganAt > endedAt)
    expect(after.length).toBe(clients * requestsAfter)
    // Without a role, an organizer still reads.
    const expected = (turn: number) => (refused === 4030 && turn > 1 ? 1000 : refused)
    expect(after.filter(({ code, turn }) => code !== expected(turn))).toEqual([])
    for (const { stderr } of servers) expect(stderr()).toBe('')
  },
)

const hour = 60 * 60 * 1000
const day = 24 * hour
const eva = 'eva@summit.example'

describe('signing in', () => {
  test('of 50 redemptions of one invitation at once, on two servers, one starts a session', async () => {
    await using t = await startAppWithKeys('members')
    await using other = await startOtherServer(t)
    const token = await inviteAsOrganizer(t, eva, ['owner'])
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => sendInvitation([t, other][nth % 2]?.url ?? '', token)),
    )
    expect(responses.filter(({ response_code }) => response_code === 1000)).toHaveLength(1)
    expect(responses.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1)
    const others = responses.filter(({ response_code }) => response_code !== 1000)
    for (const { data } of others) expect(data).toMatchObject({ reason: 'INVITATION_INVALID' })
    const sessions = t.ctx.database.read.selectFrom('credential').selectAll().where('kind', '=', 'session')
    expect(await sessions.execute()).toHaveLength(1)
  })

  test.each([
    [{ SUMMIT_ENDS: '2030-05-31' }, '2030-06-01 00:00:00', '2030-06-15 00:00:00'],
    [{ SUMMIT_ENDS: '2030-05-31', TIMEZONE: 'America/New_York' }, '2030-06-01 00:00:00', '2030-06-15 00:00:00'],
    [{}, '2030-05-03 00:00:00', '2030-05-17 00:00:00'],
  ])('with %o a participant signs in until %s, and stays signed in until %s', async (settings, until, staysUntil) => {
    await using t = await startAppWithKeys('members', settings)
    await make.event(t, {}, [{ date: '2030-05-02', time: '09:00:00', title: 'Doors' }])
    const { invitation } = await t.owner.client.inviteParticipant({ participantId: t.ana.participant })
    expect(invitation.expires_at).toBe(until)
    const { client } = await signInWith(t.url, new URL(invitation.link).hash.slice(1))
    const { credentials } = await client.listCredentials({})
    expect(credentials.find(({ is_current }) => is_current)?.expires_at).toBe(staysUntil)
  })

  test('with an event in 2099 a participant signs in, and stays signed in, for 180 days', async () => {
    await using t = await startAppWithKeys('members')
    await make.event(t, {}, [{ date: '2099-05-02', time: '09:00:00', title: 'Doors' }])
    const { invitation } = await t.owner.client.inviteParticipant({ participantId: t.ana.participant })
    const { client } = await signInWith(t.url, new URL(invitation.link).hash.slice(1))
    const { credentials } = await client.listCredentials({})
    const session = credentials.find(({ is_current }) => is_current)
    expect([invitation.expires_at, session?.expires_at]).toEqual(['2030-10-28 09:00:00', '2030-10-28 09:00:00'])
  })

  test('after the summit nobody is invited, unless its end is not set', async () => {
    await using t = await startAppWithKeys('members', { SUMMIT_ENDS: '2030-04-30' })
    await using other = await startOtherServer(t, { summitEnds: undefined })
    const invite = { participantId: t.ana.participant }
    const { envelope } = await t.owner.client.call('inviteParticipant', invite)
    expect(envelope).toMatchObject({ response_code: 4090, data: { reason: 'SUMMIT_ENDED' } })
    const { headers } = t.owner
    const { invitation } = await other.client.inviteParticipant(invite, { headers })
    expect(invitation.expires_at).toBe('2030-07-30 09:00:00')
  })

  test('two weeks after the summit no invitation signs anybody in', async () => {
    await using t = await startAppWithKeys('members')
    await using other = await startOtherServer(t, { summitEnds: '2030-04-01' })
    const token = await inviteAsParticipant(t, t.ana.participant)
    const refused = { response_code: 4090, data: { reason: 'SUMMIT_ENDED' } }
    expect(await sendInvitation(other.url, token)).toMatchObject(refused)
    expect((await sendInvitation(t.url, token)).response_code).toBe(1000)
  })
})

describe('a session', () => {
  test('that gets another role during an upload stores what either may', async () => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsOrganizer(t, eva, ['moderator'])
    using upload = await startUpload(t.url, new DataFolder(t.dataDir), headers)
    await t.owner.client.changeOrganizerRoles({ organizer_id: 1, roles: 'owner' })
    expect(await upload.finish()).toBe(1000)
  })

  test('that ends unused during an upload stores nothing', async () => {
    await using t = await startAppWithKeys('members')
    const { headers } = await signInAsOrganizer(t, eva, ['owner'])
    using upload = await startUpload(t.url, new DataFolder(t.dataDir), headers)
    t.advance(8 * hour + 1)
    expect(await upload.finish()).toBe(4011)
    expect(await t.ctx.database.read.selectFrom('topic').selectAll().execute()).toEqual([])
  })

  test('that has ended unused is not listed', async () => {
    await using t = await startAppWithKeys('members')
    await signInAsParticipant(t, t.ana.participant)
    const kinds = async () => (await t.ana.client.listCredentials({})).credentials.map(({ kind }) => kind)
    t.advance(30 * day)
    expect(await kinds()).toEqual(['session', 'bearer'])
    t.advance(1)
    expect(await kinds()).toEqual(['bearer'])
  })

  test.each([
    ['an organizer', 8 * hour, 7 * day],
    ['a participant', 30 * day, 90 * day],
  ])('of %s ends after %i ms without a request, or %i ms in all', async (who, idle, all) => {
    await using t = await startAppWithKeys('members')
    await using other = await startOtherServer(t)
    const signIn = () =>
      who === 'an organizer' ? signInAsOrganizer(t, eva, ['owner']) : signInAsParticipant(t, t.ana.participant)
    const [unused, used] = [await signIn(), await signIn()]
    const startedAt = t.ctx.clock()
    const elsewhere = { ...used, client: createClient(other.url, { headers: used.headers }) }
    expect(await codeOf(elsewhere)).toBe(1000)
    t.advance(idle)
    expect(await codeOf(used)).toBe(1000)
    const usedAt = async () =>
      (await t.ctx.database.read.selectFrom('credential').selectAll().orderBy('id').execute()).at(-1)?.used_at
    // It is stored a second after the response.
    await expect.poll(usedAt).toBe(startedAt + idle)
    t.advance(1)
    expect(await codeOf(unused)).toBe(4011)
    t.advance(idle - 1)
    expect(await codeOf(elsewhere)).toBe(1000)

    await t.ctx.database.transaction((db) =>
      db
        .updateTable('credential')
        .set({ used_at: startedAt + all })
        .execute(),
    )
    t.advance(startedAt + all - t.ctx.clock() - 1)
    expect([await codeOf(used), await codeOf(elsewhere)]).toEqual([1000, 1000])
    t.advance(1)
    expect([await codeOf(used), await codeOf(elsewhere)]).toEqual([4011, 4011])
  })
})
