import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient, type EnvelopeResponse } from '../../src/client/client.ts'
import type { JsonOperationName } from '../../src/contract/index.ts'
import { createTestStorage } from '../app.ts'
import { runSummit } from '../command.ts'
import { createKeepAliveClient } from '../faults/keep-alive-client.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import * as make from '../make.ts'
import { waitUntil } from '../wait-until.ts'
import { publicUrl } from './app-with-keys.ts'

const clients = 20

/** Requests of each client that begin after the revocation. */
const requestsAfter = 50

/** The requests that a client sends in turns: cached reads, writes, and replays of its first comment. */
const turns = [
  (client, headers) => client.call('getTopic', { topic_id: 1 }, { headers }),
  (client, headers) => client.call('listParticipants', { offset: 0, limit: 10 }, { headers }),
  (client, headers) => client.call('likeTopic', { topic_id: 1, created_by: 1 }, { headers }),
  (client, headers, nth) =>
    client.call(
      'createComment',
      { topic_id: 1, comment: 'Me too', created_by: 1 },
      { headers, idempotencyKey: `${nth}` },
    ),
] satisfies ((
  client: ReadyServer['client'],
  headers: Record<string, string>,
  nth: number,
) => Promise<EnvelopeResponse<JsonOperationName>>)[]

interface Outcome {
  /** By `performance.now()`. */
  beganAt: number
  turn: number
  code: number
}

test.each([
  ['a key', ['key', 'create', 'load', '--participant', '1']],
  ['a personal URL', ['participant', 'link', '1']],
])(
  'of 1,000 requests that begin after %s was revoked under load, none succeeds, on any worker or server',
  async (_, command) => {
    await using storage = await createTestStorage()
    await using stack = new AsyncDisposableStack()
    const isShared = 'DATABASE_URL' in storage.settings
    const settings = { ...storage.settings, ACCESS: 'members', PUBLIC_URL: publicUrl, WORKERS: '2' }
    const servers: ReadyServer[] = []
    for (let nth = 0; nth < (isShared ? 2 : 1); nth++)
      servers.push(stack.use(await startServer(storage.dataDir, settings)))

    const people = join(storage.dataDir, 'people.csv')
    await writeFile(people, 'first_name,last_name,email\nAna,Cruz,ana@summit.example\n')
    await runSummit(['import', 'participants', people, '--apply'], storage.settings)
    const { out } = await runSummit(command, { ...settings, WORKERS: '1' })
    const [, key = ''] = /\b[Kk]ey (\d+)\b/.exec(out) ?? []
    const [prefix = ''] = /\/k\/smt_[\w-]{43}/.exec(out) ?? []
    const headers: Record<string, string> =
      prefix === '' ? { authorization: `Bearer ${/smt_[\w-]{43}/.exec(out)?.[0]}` } : {}
    const [server] = servers
    const first = createClient(`${server?.url}${prefix}`, { headers })
    await first.createTopic({ name: 'Lunch is served', created_by: 1 })

    let revokedAt = Number.POSITIVE_INFINITY
    const outcomes: Outcome[] = []
    const running = Array.from({ length: clients }, async (_, nth) => {
      using target = createKeepAliveClient(
        `${servers[nth % servers.length]?.url}${prefix}`,
        { completed: 0, refused: 0, lost: [] },
        { bodyMs: () => 0 },
      )
      for (let sent = 0, after = 0; after < requestsAfter; sent++) {
        const turn = sent % turns.length
        const beganAt = performance.now()
        if (beganAt > revokedAt) after++
        const code = await make.codeOf((turns[turn] as (typeof turns)[3])(target.client, headers, nth))
        outcomes.push({ beganAt, turn, code })
      }
    })
    const revoking = async () => {
      await waitUntil('requests get responses', () => outcomes.length > 1_000)
      const { code } = await runSummit(['key', 'revoke', key], storage.settings, (child) =>
        child.stdout?.on('data', (text: string) => {
          if (text.includes('is revoked')) revokedAt = performance.now()
        }),
      )
      expect(code).toBe(0)
    }
    await Promise.all([revoking(), ...running])

    const before = outcomes.filter(({ beganAt }) => beganAt <= revokedAt)
    for (const turn of turns.keys()) expect(before.some((one) => one.turn === turn && one.code === 1000)).toBe(true)
    expect([...new Set(before.map(({ code }) => code))].filter((code) => code !== 1000 && code !== 4010)).toEqual([])
    const after = outcomes.filter(({ beganAt }) => beganAt > revokedAt)
    expect(after.length).toBe(clients * requestsAfter)
    expect(after.filter(({ code }) => code !== 4010)).toEqual([])
    for (const { stderr } of servers) expect(stderr()).toBe('')
  },
)
