import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request } from '../src/client/client.ts'
import type { Comment, Topic } from '../src/contract/newsfeed.ts'
import { addParticipant } from '../src/server/participants/participants.ts'
import { addEvent, type NewEvent } from '../src/server/program/events.ts'
import type { Activity } from '../src/server/program/store.ts'
import { commandScope } from '../src/server/scope.ts'
import type { TestApp } from './app.ts'

/** Makes what a test needs to be there, each with what does not matter filled in. */

export async function participant(t: TestApp, values: Parameters<typeof addParticipant>[1] = {}): Promise<number> {
  const person = { first_name: 'Ana', last_name: 'Cruz', designation: 'Engineer', ...values }
  return t.ctx.database.transaction((tx) => addParticipant(commandScope(t.ctx, tx, 'test'), person))
}

export async function event(t: TestApp, values: Partial<NewEvent> = {}, activities: Activity[] = []): Promise<number> {
  const talk = { title: 'Opening', date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:00:00', ...values }
  return t.ctx.database.transaction((tx) => addEvent(commandScope(t.ctx, tx, 'test'), talk, activities))
}

export async function topic(t: TestApp, values: Partial<Request<'createTopic'>> = {}): Promise<Topic> {
  return only((await t.client.createTopic({ name: 'Lunch is served', created_by: 1, ...values })).NewsFeed)
}

export async function comment(
  t: TestApp,
  values: Pick<Request<'createComment'>, 'topic_id'> & Partial<Request<'createComment'>>,
): Promise<Comment> {
  return only((await t.client.createComment({ comment: 'On my way', created_by: 1, ...values })).comments)
}

/** The one element of an array that must have exactly one. */
export function only<T>(elements: readonly T[]): T {
  const [first] = elements
  if (first === undefined || elements.length !== 1) throw new Error(`expected one element, found ${elements.length}`)
  return first
}

/** The outcome of `client.call`. */
export const codeOf = async (answer: Promise<{ envelope: { response_code: number } }>): Promise<number> =>
  (await answer).envelope.response_code

/** The one object of an envelope, of which nothing is known yet, and the headers that it came with. */
interface Reply {
  response_code: number
  data: unknown
  system: { created_at: string; message: string }
  headers: Headers
}

/** Asks what the typed client would not let us ask. A string is sent as JSON text, a form as what it is. */
export async function send(
  t: TestApp,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: string | FormData | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined
  const response = await fetch(t.url + path, {
    method,
    headers: { ...type, ...headers },
    ...(body !== undefined && { body }),
  })
  const [envelope] = JSON.parse(await response.text())
  return { ...envelope, headers: response.headers }
}

/** Every file that the server has below its folder of blobs, stored or only just received. */
export async function blobs(t: Pick<TestApp, 'dataDir'>): Promise<string[]> {
  const entries = await readdir(join(t.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
