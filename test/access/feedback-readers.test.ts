import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EnvelopeResponse } from '../../src/client/client.ts'
import { roles } from '../../src/contract/access.ts'
import { noParticipant } from '../../src/server/core/ids.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { type AppWithKeys, type KeyHolder, startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from './sessions.ts'

// Who reads whose feedback, and its author's name.

type Reader = Pick<KeyHolder, 'client'>

const page = { offset: 0, limit: 20 }

const all = async ({ client }: Reader, some = page) =>
  (await client.listFeedback(some)).feedbacks.map(({ comments }) => comments)

const of = async ({ client }: Reader, participant_id: number) =>
  (await client.listFeedbackOfParticipant({ ...page, participant_id })).feedbacks.map(({ comments }) => comments)

/** Feedback of Ana, of Ben, of Ana again, and of nobody. */
async function addFeedback({ ana, ben, owner }: AppWithKeys): Promise<void> {
  await ana.client.addFeedback({ comments: 'of Ana' })
  await ben.client.addFeedback({ comments: 'of Ben' })
  await owner.client.addFeedback({ participant_id: ana.participant, created_by: ben.participant, comments: 'for Ana' })
  await owner.client.addFeedback({ participant_id: noParticipant, comments: 'of nobody' })
}

const everything = ['of nobody', 'for Ana', 'of Ben', 'of Ana']
const own = ['for Ana', 'of Ana']

describe.each(['public', 'members'] as const)('where ACCESS is %s', (mode) => {
  let t: AppWithKeys
  beforeEach(async () => {
    t = await startAppWithKeys(mode)
    await addFeedback(t)
  })
  afterEach(() => t[Symbol.asyncDispose]())

  test('organizers of any role read all feedback, of everyone and of each', async () => {
    const organizers: Reader[] = [
      ...(await Promise.all(roles.map((role) => t.issueKey({ roles: [role] })))),
      await t.issueKey({ participant: t.ben.participant, roles: ['reader'] }),
      await signInAsOrganizer(t, 'desk@summit.example', ['desk']),
    ]
    for (const organizer of organizers) {
      expect(await all(organizer)).toEqual(everything)
      expect(await of(organizer, t.ana.participant)).toEqual(own)
    }
  })

  test('participants read their own feedback in pages of their own, and none of others', async () => {
    const readers: Reader[] = [
      t.ana,
      await t.issuePersonalUrl(t.ana.participant),
      await signInAsParticipant(t, t.ana.participant),
    ]
    // What organizers have just read is cached for them.
    expect(await all(t.owner)).toEqual(everything)
    expect(await of(t.owner, t.ben.participant)).toEqual(['of Ben'])
    for (const reader of readers) {
      expect(await all(reader)).toEqual(own)
      expect(await all(reader, { offset: 1, limit: 1 })).toEqual(['of Ana'])
      expect(await all(reader, { offset: 2, limit: 1 })).toEqual([])
      expect(await of(reader, t.ana.participant)).toEqual(own)
      for (const other of [t.ben.participant, 999]) expect(await of(reader, other)).toEqual([])
    }
    // Ben reads the same URLs right after Ana.
    expect(await all(t.ben)).toEqual(['of Ben'])
    expect(await of(t.ben, t.ana.participant)).toEqual([])
  })

  test('an app that all its users share reads no feedback, not even that of nobody', async () => {
    for (const app of [await t.issueAppUrl(), await t.issueAppUrl('change')]) {
      expect(await all(app)).toEqual([])
      expect(await of(app, t.ana.participant)).toEqual([])
    }
  })

  test('a visitor reads none', async () => {
    expect(await make.codeOf(t.client.call('listFeedback', page))).toBe(4010)
  })

  test('an empty list of another participant looks like that of one without feedback', async () => {
    const bytesOf = async (participant_id: number) => {
      const { text, headers } = await t.ana.client.call('listFeedbackOfParticipant', { ...page, participant_id })
      expect(headers.get('cache-control')).toBe('private, no-store')
      return text
    }
    expect(await bytesOf(t.ben.participant)).toBe(await bytesOf(999))
  })

  test('the length of a HEAD response is that of the reader', async () => {
    for (const { headers } of [t.ana, t.ben, t.owner]) {
      const url = `${t.url}/api/feedback/list/0/20`
      const text = await (await fetch(url, { headers })).text()
      const head = await fetch(url, { method: 'HEAD', headers })
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    }
  })

  test('what is new, or deleted with its author, shows at once', async () => {
    await t.ana.client.addFeedback({ comments: 'new' })
    expect(await all(t.ana)).toEqual(['new', ...own])
    expect(await all(t.owner)).toEqual(['new', ...everything])
  })

  test('a retried write is replayed for its sender only', async () => {
    const add = async (holder: KeyHolder): Promise<EnvelopeResponse<'addFeedback'>> =>
      holder.client.call('addFeedback', { comments: 'Loved it.' }, { idempotencyKey: 'same' })
    const first = await add(t.ana)
    expect((await add(t.ana)).text).toBe(first.text)
    const { envelope, headers } = await add(t.ben)
    expect(headers.get('idempotency-replayed')).toBeNull()
    expect(envelope.data).toMatchObject({ feedbacks: { author: { id: String(t.ben.participant) } } })
  })
})

test('with FEEDBACK_READERS=participants everyone who signs in reads all feedback', async () => {
  await using t = await startAppWithKeys('members', { FEEDBACK_READERS: 'participants' })
  await addFeedback(t)
  for (const reader of [t.ana, t.owner, await t.issueAppUrl()]) {
    expect(await all(reader)).toEqual(everything)
    expect(await of(reader, t.ana.participant)).toEqual(own)
  }
})

test('where nobody signs in, anyone reads all feedback', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t)
  await t.client.addFeedback({ participant_id: ana, comments: 'of Ana' })
  await t.client.addFeedback({ participant_id: 2, comments: 'of another' })
  expect(await all(t)).toEqual(['of another', 'of Ana'])
})
