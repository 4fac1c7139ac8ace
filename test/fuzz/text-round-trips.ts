import { expect } from 'vitest'
import { isSuccess } from '../../src/client/client.ts'
import { defaultLimits } from '../../src/contract/limits.ts'
import type { TestApp } from '../app.ts'
import * as make from '../make.ts'
import { encodings } from './encodings.ts'
import type { Members } from './values.ts'

/** Each function sends every string in some members of a record. A client must read it unchanged, or get a failure. */
export const textRoundTrips: Record<string, (t: TestApp, strings: readonly string[]) => Promise<void>> = {
  ...Object.fromEntries(
    Object.keys(encodings).map((type) => [
      `topics as ${type}`,
      (t: TestApp, strings: readonly string[]) => sendAsTopics(t, strings, type),
    ]),
  ),
  'comments and feedback': sendAsCommentsAndFeedback,
  participants: sendAsParticipants,
  links: sendAsLinks,
  events: importAsEvents,
}

const isInvalid = (value: string, limit: keyof typeof defaultLimits): boolean =>
  !value.isWellFormed() || value.includes('\0') || [...value].length > defaultLimits[limit]
const isBlank = (value: string) => /^[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]*$/u.test(value)
const codeFor = (isRefused: boolean) => (isRefused ? 4220 : 1000)

/** Calls `work` with each string, 16 at a time. */
async function forEach(strings: readonly string[], work: (value: string) => Promise<void>): Promise<void> {
  const waiting = [...strings]
  const worker = async () => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) await work(value)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

function sendAsTopics(t: TestApp, strings: readonly string[], type: string): Promise<void> {
  return forEach(strings, async (value) => {
    // Forms are UTF-8, which cannot encode a lone surrogate.
    if (!value.isWellFormed() && type !== 'application/json') return
    const { response_code, data } = await createTopic(t, type, { name: value, body: value, created_by: 1 })
    expect(response_code, value).toBe(codeFor(isInvalid(value, 'name') || isBlank(value)))
    if (response_code !== 1000) return
    const { NewsFeed } = await t.client.getTopic({ topic_id: Number(data.NewsFeed[0].id) })
    expect(make.only(NewsFeed).content).toMatchObject({ header: value, body: value })
  })
}

async function createTopic(t: TestApp, type: string, members: Members) {
  const request = { method: 'POST', headers: { 'content-type': type }, body: encodings[type]?.(members) ?? '' }
  const response = await fetch(`${t.url}/api/newsfeeds/topics/create`, request)
  const [{ response_code, data }] = JSON.parse(await response.text())
  return { response_code, data }
}

async function sendAsCommentsAndFeedback(t: TestApp, strings: readonly string[]): Promise<void> {
  const topic_id = Number((await make.topic(t)).id)
  await forEach(strings, async (value) => {
    const comment = await t.client.call('createComment', { topic_id, comment: value, created_by: 1 })
    expect(comment.envelope.response_code, value).toBe(codeFor(isInvalid(value, 'comment') || isBlank(value)))
    if (isSuccess(comment.envelope)) expect(comment.envelope.data.comments[0]?.comment).toBe(value)

    const ratings = { quality: value, rating: value, relevance: value, expectation: value }
    const feedback = await t.client.call('addFeedback', { created_by: 1, comments: value, ...ratings })
    expect(feedback.envelope.response_code, value).toBe(codeFor(isInvalid(value, 'text')))
    if (!isSuccess(feedback.envelope)) return
    const { id, comments } = feedback.envelope.data.feedbacks
    expect(comments).toBe(value)
    const row = t.ctx.database.read.selectFrom('feedback').selectAll().where('id', '=', Number(id))
    expect(await row.executeTakeFirst()).toMatchObject(ratings)
  })
}

function sendAsParticipants(t: TestApp, strings: readonly string[]): Promise<void> {
  return forEach(strings, async (value) => {
    const participantId = await make.participant(t)
    const names = { first_name: value, last_name: value }
    const members = { ...names, employee_no: value, designation: value, email: value, mobile_no: value, gender: value }
    const { envelope } = await t.client.call('updateParticipant', { participantId, ...members })
    expect(envelope.response_code, value).toBe(codeFor(isInvalid(value, 'text')))
    if (!isSuccess(envelope)) return
    expect(envelope.data.participant).toMatchObject(members)
    const { NewsFeed } = await t.client.createTopic({ name: 'x', created_by: participantId })
    const name = value === '' ? '' : `${value} ${value}`
    expect(make.only(NewsFeed).author).toMatchObject({ name, designation: value })

    const photo = `photos/${value}`
    const updated = await t.client.call('updateParticipant', { participantId, photo })
    expect(updated.envelope.response_code, photo).toBe(codeFor(isInvalid(photo, 'text')))
    if (isSuccess(updated.envelope)) expect(updated.envelope.data.participant.photo).toBe(photo)
  })
}

/** An invalid file type is replaced rather than refused. */
function sendAsLinks(t: TestApp, strings: readonly string[]): Promise<void> {
  return forEach(strings, async (value) => {
    const file = { link: `https://cdn.summit.example/${value}`, fileType: value }
    const { envelope } = await t.client.call('createTopic', { name: 'x', created_by: 1, uploaded_files: [file] })
    expect(envelope.response_code, value).toBe(codeFor(isInvalid(value, 'text') || /\p{Cc}/u.test(value)))
    if (!isSuccess(envelope)) return
    const [attached] = make.only(envelope.data.NewsFeed).content.uploaded_files
    expect(attached?.link).toBe(file.link)
    expect(attached?.fileType).toMatch(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/)
  })
}

function importAsEvents(t: TestApp, strings: readonly string[]): Promise<void> {
  return forEach(strings, async (value) => {
    if (isInvalid(value, 'text')) return
    const members = { title: value, speaker: value, position: value, company: value, venue: value }
    const id = await make.event(t, { ...members, location_name: value }, [
      { date: '2030-05-02', time: '09:00:00', title: value },
    ])
    expect((await t.client.getEvent({ id })).programs).toMatchObject({ ...members, location: value })
  })
}
