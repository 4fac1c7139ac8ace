import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'vitest'
import { startOfTest, startTestApp, type TestApp } from '../../../../test/app.ts'
import type { TopicId } from '../../core/ids.ts'

/** Topics whose characters take six bytes each in JSON: a page of all of them is 14 MB. */
const topics = 200

export const allTopics = { offset: 0, limit: topics }

export async function appWithLargeResponses(settings: Record<string, string> = {}): Promise<TestApp> {
  const t = await startTestApp(settings)
  const row = { header: 'x', body: '\u0001'.repeat(10_000), created_at: startOfTest }
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < topics; nth++) await tx.insertInto('topic').values(row).execute()
    // The details of the first topic alone are 2 MB.
    const comment = { topic_id: 1 as TopicId, comment: row.body, created_at: startOfTest }
    for (let nth = 0; nth < 30; nth++) await tx.insertInto('comment').values(comment).execute()
  })
  return t
}

/** Only Linux has all addresses of 127.0.0.0/8. */
export const testOnLinux = test.skipIf(process.platform !== 'linux')

interface Sender {
  /** An address of this machine. */
  address?: string
  forwardedFor?: string
  offset?: number
  /** Instead of that of all topics. */
  path?: string
}

/** Requests all topics, and does not read the response. Each Host has a response of its own. */
export async function requestWithoutReading(
  { url }: TestApp,
  host: string,
  { address, forwardedFor, offset = 0, path = `/api/newsfeeds/topics/${offset}/${topics}` }: Sender = {},
) {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', ...(address && { localAddress: address }) })
  const forwarded = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${forwarded}\r\n`)
  await once(socket, 'readable')
  return socket
}

/** Requests all topics, and reads the beginning of the response. */
export async function receiveCode(t: TestApp, host: string, sender?: Sender): Promise<number> {
  const socket = await requestWithoutReading(t, host, sender)
  return Number(/"response_code":(\d+)/.exec(String(socket.read()))?.[1])
}

/** Requests pages of 14 MB, and reads none of them, until one is refused. @returns the number of them */
export async function fill(t: TestApp, sender: (nth: number) => Sender): Promise<number> {
  for (let nth = 0; ; nth++) if ((await receiveCode(t, `h${nth}.test`, sender(nth))) === 5030) return nth
}

export const proxy = { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }
