import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSuccess } from '../../src/client/client.ts'
import { FailureEnvelope } from '../../src/contract/envelope.ts'
import { defaultLimits } from '../../src/contract/limits.ts'
import { type TestApp, testApp } from '../app.ts'
import { isLong } from '../long.ts'
import * as make from '../make.ts'
import { encodings } from './encodings.ts'
import type { Members } from './values.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t[Symbol.asyncDispose]())

const failure = Compile(FailureEnvelope)

// What others have collected. Neither is part of the project, so both may be missing.

const corpora = join(import.meta.dirname, '../../../shared/corpora')
const jsonSuite = join(corpora, 'json-test-suite')
const naughtyFile = join(corpora, 'naughty-strings.json')

test.skipIf(!existsSync(jsonSuite))(
  'JSONTestSuite: what is JSON is taken for JSON, and what is not is not',
  async () => {
    for (const file of readdirSync(jsonSuite)) {
      const response = await fetch(`${t.url}/api/newsfeeds/topics/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: readFileSync(join(jsonSuite, file)),
      })
      const envelope = JSON.parse(await response.text())
      expect(failure.Errors(envelope), file).toEqual([])
      const [{ response_code }] = envelope
      if (file.startsWith('y_')) expect(response_code, file).toBe(4220)
      else if (file.startsWith('n_')) expect(response_code, file).toBe(4001)
      else expect([4001, 4220], file).toContain(response_code)
    }
  },
)

/** Theirs take a while, each in every field and encoding. */
const naughty: string[] = isLong && existsSync(naughtyFile) ? JSON.parse(readFileSync(naughtyFile, 'utf8')) : []
// Ours, which theirs lacks.
const ours = [
  ...['a\0b', '\ud800', '\u2028\u2029', '\r\n\t', ' x ', '\ufeffx', 'e\u0301 é', '"\\', '%00%zz+&=', '\n-->'],
  ...['😀'.repeat(255), '😀'.repeat(256)],
]
const strings = [...naughty, ...ours]
const rejects = (value: string, limit: keyof typeof defaultLimits): boolean =>
  !value.isWellFormed() || value.includes('\0') || [...value].length > defaultLimits[limit]
const isBlank = (value: string) => /^[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]*$/u.test(value)
const codeOf = (isRefused: boolean) => (isRefused ? 4220 : 1000)

/** Works through the strings, some at a time. */
async function each(work: (value: string) => Promise<void>): Promise<void> {
  const waiting = [...strings]
  const worker = async () => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) await work(value)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

async function createTopic(type: string, members: Members) {
  const request = { method: 'POST', headers: { 'content-type': type }, body: encodings[type]?.(members) ?? '' }
  const response = await fetch(`${t.url}/api/newsfeeds/topics/create`, request)
  const [{ response_code, data }] = JSON.parse(await response.text())
  return { response_code, data }
}

test.each(Object.keys(encodings))(
  'naughty strings in topics come back as they were sent in %s, or are refused',
  (type) =>
    each(async (value) => {
      // Forms are UTF-8 and have no way to say half a character.
      if (!value.isWellFormed() && type !== 'application/json') return
      const { response_code, data } = await createTopic(type, { name: value, body: value, created_by: 1 })
      expect(response_code, value).toBe(codeOf(rejects(value, 'name') || isBlank(value)))
      if (response_code !== 1000) return
      const { NewsFeed } = await t.client.getTopic({ topic_id: Number(data.NewsFeed[0].id) })
      expect(make.only(NewsFeed).content).toMatchObject({ header: value, body: value })
    }),
)

test('naughty strings in comments and feedback come back as they were sent, or are refused', async () => {
  const topic_id = Number((await make.topic(t)).id)
  await each(async (value) => {
    const comment = await t.client.call('createComment', { topic_id, comment: value, created_by: 1 })
    expect(comment.envelope.response_code, value).toBe(codeOf(rejects(value, 'comment') || isBlank(value)))
    if (isSuccess(comment.envelope)) expect(comment.envelope.data.comments[0]?.comment).toBe(value)

    const ratings = { quality: value, rating: value, relevance: value, expectation: value }
    const feedback = await t.client.call('addFeedback', { created_by: 1, comments: value, ...ratings })
    expect(feedback.envelope.response_code, value).toBe(codeOf(rejects(value, 'text')))
    if (!isSuccess(feedback.envelope)) return
    const { id, comments } = feedback.envelope.data.feedbacks
    expect(comments).toBe(value)
    const row = t.ctx.database.read.selectFrom('feedback').selectAll().where('id', '=', Number(id))
    expect(await row.executeTakeFirst()).toMatchObject(ratings)
  })
})

test('naughty strings in participants come back as they were sent, or are refused', () =>
  each(async (value) => {
    const participantId = await make.participant(t)
    const said = { employee_no: value, designation: value, email: value, first_name: value, last_name: value }
    const more = { mobile_no: value, gender: value }
    const { envelope } = await t.client.call('updateParticipant', { participantId, ...said, ...more })
    expect(envelope.response_code, value).toBe(codeOf(rejects(value, 'text')))
    if (!isSuccess(envelope)) return
    expect(envelope.data.participant).toMatchObject({ ...said, ...more })
    const { NewsFeed } = await t.client.createTopic({ name: 'x', created_by: participantId })
    const name = value === '' ? '' : `${value} ${value}`
    expect(make.only(NewsFeed).author).toMatchObject({ name, designation: value })

    const photo = `photos/${value}`
    const changed = await t.client.call('updateParticipant', { participantId, photo })
    expect(changed.envelope.response_code, photo).toBe(codeOf(rejects(photo, 'text')))
    if (isSuccess(changed.envelope)) expect(changed.envelope.data.participant.photo).toBe(photo)
  }))

test('naughty strings in links come back as they were sent, or are refused, and in types are left out', () =>
  each(async (value) => {
    const file = { link: `https://cdn.summit.example/${value}`, fileType: value }
    const { envelope } = await t.client.call('createTopic', { name: 'x', created_by: 1, uploaded_files: [file] })
    expect(envelope.response_code, value).toBe(codeOf(rejects(value, 'text') || /\p{Cc}/u.test(value)))
    if (!isSuccess(envelope)) return
    const [shown] = make.only(envelope.data.NewsFeed).content.uploaded_files
    expect(shown?.link).toBe(file.link)
    expect(shown?.fileType).toMatch(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/)
  }))

test('naughty strings in events are shown as they were imported', () =>
  each(async (value) => {
    if (rejects(value, 'text')) return
    const said = { title: value, speaker: value, position: value, company: value, venue: value }
    const id = await make.event(t, { ...said, location_name: value }, [
      { date: '2030-05-02', time: '09:00:00', title: value },
    ])
    expect((await t.client.getEvent({ id })).programs).toMatchObject({ ...said, location: value })
  }))
