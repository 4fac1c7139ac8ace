import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createTestStorage } from '../app.ts'
import { runSummit } from '../command.ts'
import { createKeepAliveClient } from '../faults/keep-alive-client.ts'
import { chooseSeed, createRandom } from '../faults/random.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { sendInvitation } from './sessions.ts'

const settingsOf = (storage: Record<string, string>) => ({ ...storage, ACCESS: 'members', PUBLIC_URL: publicUrl })

/** Invites somebody by the command. @returns the token */
async function invite(settings: Record<string, string>, email: string): Promise<string> {
  const { out } = await runSummit(['organizer', 'invite', email, '--role', 'owner'], settings)
  return /#(smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''
}

/** @returns the headers of a page with the new session, undefined if the response did not arrive or is a failure */
async function signIn(url: string, token: string): Promise<Record<string, string> | undefined> {
  const cookie = (await sendInvitation(url, token).catch(() => undefined))?.headers.get('set-cookie')?.split(';')[0]
  return cookie === undefined ? undefined : { cookie, 'sec-fetch-site': 'same-origin' }
}

const codeOf = (url: string, headers: Record<string, string>) =>
  make.codeOf(createClient(url, { headers }).call('getMe', {}))

test('a server that is killed 10 times loses no session, and resurrects none', { timeout: 600_000 }, async () => {
  const seed = chooseSeed()
  console.log(`kill -9: FAULT_SEED=${seed}`)
  const random = createRandom(seed)
  await using storage = await createTestStorage()
  const settings = settingsOf(storage.settings)
  const open: Record<string, string>[] = []
  const ended: Record<string, string>[] = []
  let server = await startServer(storage.dataDir, settings)
  let unknown = 0
  try {
    for (let kill = 1; kill <= 10; kill++) {
      const { url } = server
      const tokens = await Promise.all(['a', 'b', 'c', 'd'].map((name) => invite(settings, `${name}${kill}@x.org`)))
      const killing = new Promise((resolve) => setTimeout(resolve, random.int(0, 150))).then(() =>
        server.kill('SIGKILL'),
      )
      await Promise.all(
        tokens.map(async (token, nth) => {
          const session = await signIn(url, token)
          if (session && nth % 2 === 0) open.push(session)
          if (session && nth % 2 === 0) return
          // Without a response, it may have ended or not.
          const signOut = session && make.codeOf(createClient(url, { headers: session }).call('signOut', {}))
          if (session && (await signOut?.catch(() => undefined)) === 1000) ended.push(session)
          else unknown++
        }),
      )
      await killing
      server = await startServer(storage.dataDir, settings)
      for (const session of open) expect(await codeOf(server.url, session), `kill ${kill}`).toBe(1000)
      for (const session of ended) expect(await codeOf(server.url, session), `kill ${kill}`).toBe(4010)
      // An invitation whose use was acknowledged is used up; any other is used or not, but never twice.
      for (const token of tokens) await signIn(server.url, token)
      for (const token of tokens) expect((await sendInvitation(server.url, token)).response_code).toBe(4031)
    }
    console.log(`kill -9: ${open.length} sessions open, ${ended.length} ended, ${unknown} without a response`)
    expect(Math.min(open.length, ended.length)).toBeGreaterThan(0)
    expect(server.stderr()).toBe('')
  } finally {
    await server.kill('SIGKILL')
  }
})

const clients = 20

/** Requests of each client that begin after the sign-out. */
const requestsAfter = 150

test('of 3,000 requests that begin after a sign-out under load, none succeeds, on any worker or server', {
  timeout: 300_000,
}, async () => {
  await using storage = await createTestStorage()
  await using stack = new AsyncDisposableStack()
  const settings = { ...settingsOf(storage.settings), WORKERS: '2' }
  const servers: ReadyServer[] = []
  for (let nth = 0; nth < ('DATABASE_URL' in storage.settings ? 2 : 1); nth++)
    servers.push(stack.use(await startServer(storage.dataDir, settings)))
  const urls = servers.map(({ url }) => url)
  const [first = ''] = urls
  const headers = (await signIn(first, await invite(settings, 'eva@summit.example'))) ?? {}
  await createClient(first, { headers }).createTopic({ name: 'Lunch is served', created_by: 1 })

  let signedOutAt = Number.POSITIVE_INFINITY
  const outcomes: { beganAt: number; turn: number; code: number }[] = []
  const running = Array.from({ length: clients }, async (_, nth) => {
    using target = createKeepAliveClient(
      urls[nth % urls.length] ?? '',
      { completed: 0, refused: 0, lost: [] },
      { bodyMs: () => 0 },
    )
    const turns = [
      () => target.client.call('getTopic', { topic_id: 1 }, { headers }),
      () => target.client.call('getMe', {}, { headers }),
      () => target.client.call('likeTopic', { topic_id: 1, created_by: 1 }, { headers }),
    ]
    for (let sent = 0, after = 0; after < requestsAfter; sent++) {
      const turn = sent % turns.length
      const beganAt = performance.now()
      if (beganAt > signedOutAt) after++
      outcomes.push({ beganAt, turn, code: await make.codeOf((turns[turn] as (typeof turns)[0])()) })
    }
  })
  const signingOut = async () => {
    await expect.poll(() => outcomes.length, { timeout: 60_000 }).toBeGreaterThan(1_000)
    expect(await make.codeOf(createClient(first, { headers }).call('signOut', {}))).toBe(1000)
    signedOutAt = performance.now()
  }
  await Promise.all([signingOut(), ...running])

  const before = outcomes.filter(({ beganAt }) => beganAt <= signedOutAt)
  for (const turn of [0, 1, 2]) expect(before.some((one) => one.turn === turn && one.code === 1000)).toBe(true)
  expect([...new Set(before.map(({ code }) => code))].filter((code) => code !== 1000 && code !== 4010)).toEqual([])
  const after = outcomes.filter(({ beganAt }) => beganAt > signedOutAt)
  expect(after.length).toBe(clients * requestsAfter)
  expect(after.filter(({ code }) => code !== 4010)).toEqual([])
  for (const { stderr } of servers) expect(stderr()).toBe('')
})
