import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'

const unknownAuthor = { id: null, name: ' ', designation: null, photoUrl: null }

const add = (t: TestApp, members: object) => make.send(t, 'POST', '/api/feedback/add', JSON.stringify(members))

const stored = (t: TestApp) => t.ctx.database.read.selectFrom('feedback').selectAll().execute()

const newest = async (t: TestApp) => (await stored(t)).toSorted((a, b) => b.id - a.id)[0]

test('a participant leaves feedback, and it is listed without the ratings', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t)

  const added = await t.client.addFeedback({
    created_by: ana,
    participant_id: ana,
    quality: '5',
    rating: 'very good',
    relevance: '4',
    expectation: 'met',
    comments: 'Loved it.\nMore of it!\r\n',
    program_id: 404,
  })

  const feedback = {
    id: '1',
    comments: 'Loved it.\nMore of it!\r\n',
    author: { id: '1', name: 'Ana Cruz', designation: 'Engineer', photoUrl: null },
    dateCreated: '2030-05-01 09:00:00',
  }
  expect(added).toEqual({ feedbacks: feedback })
  expect(await t.client.listFeedback({ offset: 0, limit: 10 })).toEqual({ feedbacks: [feedback] })
  expect(await stored(t)).toMatchObject([
    { quality: '5', rating: 'very good', relevance: '4', expectation: 'met', program_id: 404, participant_id: ana },
  ])
})

describe('the author of feedback', () => {
  const app = setUpSharedApp({}, async (t) => {
    await make.participant(t)
    await make.participant(t, { first_name: 'Ben' })
  })

  test.each([
    ['participant_id before created_by', { participant_id: 1, created_by: 2 }, 'Ana Cruz', 2],
    ['participant_id alone', { participant_id: 1 }, 'Ana Cruz', 1],
    ['created_by alone', { created_by: 2 }, 'Ben Cruz', 2],
    ['created_by where participant_id is null', { participant_id: null, created_by: 2 }, 'Ben Cruz', 2],
    ['participant_id as a string of digits', { participant_id: '1' }, 'Ana Cruz', 1],
  ])('is given by %s', async (_, members, name, created_by) => {
    const t = app()
    expect((await add(t, members)).data).toMatchObject({ feedbacks: { author: { name } } })
    expect(await newest(t)).toMatchObject({ created_by })
  })

  test('may be an unknown participant', async () => {
    const t = app()
    expect((await add(t, { participant_id: 999 })).data).toMatchObject({ feedbacks: { author: unknownAuthor } })
    expect((await add(t, { created_by: 0 })).data).toMatchObject({ feedbacks: { author: unknownAuthor } })
  })

  test.each([{}, { comments: 'x' }, { participant_id: null, created_by: null }])('is required: %j', async (members) => {
    const t = app()
    const before = await stored(t)
    expect(await add(t, members)).toMatchObject({
      response_code: 4220,
      data: { fields: [{ field: 'participant_id', in: 'body', reason: 'REQUIRED' }] },
    })
    expect(await stored(t)).toEqual(before)
  })
})

describe('comments', () => {
  const app = setUpSharedApp()

  test.each([
    ['absent', {}, null],
    ['null', { comments: null }, null],
    ['empty', { comments: '' }, ''],
    ['with line breaks', { comments: 'a\n\nb\r\nc\t ' }, 'a\n\nb\r\nc\t '],
    ['of any script', { comments: 'Grüße 🍲 日程 \u202E' }, 'Grüße 🍲 日程 \u202E'],
    ['of 10,000 characters', { comments: '🍲'.repeat(10_000) }, '🍲'.repeat(10_000)],
  ])('are returned as sent: %s', async (_, members, comments) => {
    const t = app()
    expect((await add(t, { created_by: 1, ...members })).data).toMatchObject({ feedbacks: { comments } })
    const { feedbacks } = await t.client.listFeedback({ offset: 0, limit: 1 })
    expect(feedbacks.map((feedback) => feedback.comments)).toEqual([comments])
  })

  test('keep their line breaks in both form encodings', async () => {
    const t = app()
    for (const form of [new URLSearchParams(), new FormData()]) {
      form.append('created_by', '1')
      form.append('comments', 'one\r\ntwo')
      expect(await make.send(t, 'POST', '/api/feedback/add', form)).toMatchObject({
        data: { feedbacks: { comments: 'one\r\ntwo' } },
      })
    }
  })
})

describe('ratings', () => {
  const app = setUpSharedApp()

  test.each([
    ['a number', 5, '5'],
    ['a fraction', 4.5, '4.5'],
    ['a negative number', -1, '-1'],
    ['nothing', null, ''],
    ['an empty text', '', ''],
    ['a text', 'very good', 'very good'],
    ['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
  ])('are stored as text: %s', async (_, rating, stored) => {
    const t = app()
    const ratings = { quality: rating, rating, relevance: rating, expectation: rating }
    expect((await add(t, { created_by: 1, ...ratings })).response_code).toBe(1000)
    expect(await newest(t)).toMatchObject({ quality: stored, rating: stored, relevance: stored, expectation: stored })
  })

  test('that are invalid are reported together with all other invalid fields', async () => {
    await using t = await startTestApp()
    const { response_code, data } = await add(t, {
      created_by: 'Ana',
      participant_id: -1,
      quality: 'x'.repeat(256),
      rating: true,
      relevance: ['5'],
      expectation: 'a\0b',
      comments: 'x'.repeat(10_001),
      program_id: 1.5,
    })
    expect([response_code, data]).toMatchObject([
      4220,
      {
        fields: [
          { field: 'created_by', reason: 'NOT_AN_INTEGER' },
          { field: 'participant_id', reason: 'NOT_AN_INTEGER' },
          { field: 'quality', reason: 'TOO_LONG' },
          { field: 'rating', reason: 'NOT_A_STRING' },
          { field: 'relevance', reason: 'NOT_A_STRING' },
          { field: 'expectation', reason: 'NOT_TEXT' },
          { field: 'comments', reason: 'TOO_LONG' },
          { field: 'program_id', reason: 'NOT_AN_INTEGER' },
        ],
      },
    ])
    expect(await stored(t)).toEqual([])
  })
})

describe('the list', () => {
  const comments = async (t: TestApp, offset: number, limit: number) =>
    (await t.client.listFeedback({ offset, limit })).feedbacks.map((feedback) => feedback.comments)

  test('is in pages, newest first', async () => {
    await using t = await startTestApp()
    for (const text of ['one', 'two', 'three']) await add(t, { created_by: 1, comments: text })
    expect(await comments(t, 0, 2)).toEqual(['three', 'two'])
    expect(await comments(t, 2, 2)).toEqual(['one'])
    expect(await comments(t, 3, 2)).toEqual([])
    expect(await comments(t, 0, 0)).toEqual([])
    expect(await comments(t, 0, 5_000)).toEqual(['three', 'two', 'one'])
  })

  test('of one participant has the feedback by that author, not the feedback that the participant sent for others', async () => {
    await using t = await startTestApp()
    await add(t, { participant_id: 1, created_by: 2, comments: 'of 1, sent by 2' })
    await add(t, { created_by: 2, comments: 'of 2' })
    await add(t, { participant_id: 1, comments: 'of 1' })
    await add(t, { participant_id: 1, comments: 'of 1 again' })
    const of = async (participant_id: number, offset = 0, limit = 10) =>
      (await t.client.listFeedbackOfParticipant({ offset, limit, participant_id })).feedbacks.map(
        (feedback) => feedback.comments,
      )
    expect(await of(1)).toEqual(['of 1 again', 'of 1', 'of 1, sent by 2'])
    expect(await of(1, 1, 1)).toEqual(['of 1'])
    expect(await of(2)).toEqual(['of 2'])
    expect(await of(999)).toEqual([])
  })
})

test('feedback adds a row to the change log, with its sender as the actor', async () => {
  await using t = await startTestApp()
  await add(t, { participant_id: 1, created_by: 2 })
  await add(t, {})
  const log = await t.ctx.database.read.selectFrom('change').select(['kind', 'record_id', 'actor_id']).execute()
  expect(log).toEqual([{ kind: 'feedback.added', record_id: 1, actor_id: 2 }])
})

test('a missing author is reported together with all other invalid fields', async () => {
  await using t = await startTestApp()
  expect(await add(t, { quality: 'x'.repeat(256) })).toMatchObject({
    response_code: 4220,
    data: {
      fields: [
        { field: 'quality', reason: 'TOO_LONG' },
        { field: 'participant_id', reason: 'REQUIRED' },
      ],
    },
  })
  expect(await stored(t)).toEqual([])
})

test('feedback whose row is marked as deleted is in no list', async () => {
  await using t = await startTestApp()
  for (const comments of ['one', 'two']) await add(t, { created_by: 1, comments })
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('feedback').set({ is_deleted: 1 }).where('comments', '=', 'one').execute(),
  )
  const page = { offset: 0, limit: 10 }
  for (const { feedbacks } of [
    await t.client.listFeedback(page),
    await t.client.listFeedbackOfParticipant({ participant_id: 1, ...page }),
  ])
    expect(feedbacks.map(({ comments }) => comments)).toEqual(['two'])
})
