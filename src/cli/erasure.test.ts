import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'
import { summitHere } from '../../test/command.ts'
import * as make from '../../test/make.ts'

// An operator deletes records for good, and restores deleted ones.

const page = { offset: 0, limit: 100 }
const file = { name: 'notes.txt', data: Buffer.from('notes').toString('base64') }

/** Ana, who has posted everything that one can post, and Ben, who has commented. */
async function world(t: TestApp) {
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const ben = await make.participant(t, { first_name: 'Ben', last_name: '' })
  const own = Number((await make.topic(t, { created_by: ana, name: 'By Ana', uploaded_files: [file] })).id)
  const other = Number((await make.topic(t, { created_by: ben, name: 'By Ben' })).id)
  await make.comment(t, { topic_id: own, created_by: ben, comment: 'Ben below Ana' })
  await make.comment(t, { topic_id: other, created_by: ana, comment: 'Ana below Ben', uploaded_files: [file] })
  await t.client.likeTopic({ topic_id: other, created_by: ana })
  await t.client.addFeedback({ participant_id: ana, comments: 'Feedback of Ana' })
  await t.client.addFeedback({ participant_id: ben, comments: 'Feedback of Ben' })
  return { ana, ben, own, other }
}

/** All that clients can read. */
const seen = async (t: TestApp) =>
  JSON.stringify([
    await t.client.listTopics(page),
    await t.client.listParticipants(page),
    await t.client.listFeedback(page),
  ])

test('a participant who wishes to be forgotten is deleted with everything that they have posted', async () => {
  await using t = await testApp()
  const { ana, other } = await world(t)
  const update = { participantId: ana, mobile: '+41 1' }
  await t.client.updateParticipant(update, { idempotencyKey: 'hers' })
  const before = await seen(t)
  const forget = ['participant', 'forget', String(ana)]
  const plan = await summitHere(forget, t.settings)
  expect(plan.out).toContain(`participant ${ana}: Ana Cruz <ana@x.org>\n`)
  expect(plan.out).toContain('also deleted: 1 topics with everything below them, 1 comments, and the files of both\n')
  expect(await seen(t)).toBe(before)

  expect(await summitHere([...forget, '--apply'], t.settings)).toMatchObject({ code: 0, err: '' })
  const after = await seen(t)
  expect(after).not.toMatch(/Ana|ana@x\.org/)
  expect(after).toContain('Feedback of Ben')
  const { NewsFeed } = await t.client.listTopics(page)
  expect(NewsFeed.map(({ id, likes, comments }) => [Number(id), likes, comments])).toEqual([[other, [], []]])
  expect(await make.blobs(t)).toEqual([])
  expect(await summitHere(['check'], t.settings)).toMatchObject({ code: 0 })
  expect(await make.codeOf(t.client.call('updateParticipant', update, { idempotencyKey: 'hers' }))).toBe(4040)
  expect((await summitHere(forget, t.settings)).err).toBe(`There is no participant ${ana}.\n`)
})

test('an organizer who needs the discussion keeps the posts of a forgotten participant, without their name', async () => {
  await using t = await testApp()
  const { ana } = await world(t)
  await summitHere(['participant', 'forget', String(ana), '--keep-posts', '--apply'], t.settings)
  const { NewsFeed } = await t.client.listTopics(page)
  expect(NewsFeed.map(({ content, author, likes }) => [content.header, author.name, likes])).toEqual([
    ['By Ben', 'Ben', []],
    ['By Ana', ' ', []],
  ])
  expect(NewsFeed[0]?.comments[0]?.author.name).toBe(' ')
  expect(await make.blobs(t)).toHaveLength(2)
  expect(await seen(t)).not.toMatch(/Ana Cruz|ana@x\.org|Feedback of Ana/)
})

test('feedback is deleted for good', async () => {
  await using t = await testApp()
  await world(t)
  const remove = ['feedback', 'delete', '1']
  expect((await summitHere(remove, t.settings)).out).toContain('Feedback of Ana\n\nNothing was changed.')
  expect(await seen(t)).toContain('Feedback of Ana')
  expect(await summitHere([...remove, '--apply'], t.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).not.toContain('Feedback of Ana')
  expect((await summitHere(remove, t.settings)).err).toBe('There is no feedback 1.\n')
})

test('a deleted topic or comment comes back with everything below it', async () => {
  await using t = await testApp()
  const { own } = await world(t)
  const before = await seen(t)
  await t.client.deleteComment({ comment_id: 1 })
  await t.client.deleteTopic({ topic_id: own })
  expect(await seen(t)).not.toBe(before)
  expect((await summitHere(['topic', 'deleted'], t.settings)).out).toMatch(new RegExp(`^ +${own} .* By Ana\n$`))
  expect((await summitHere(['comment', 'deleted'], t.settings)).out).toMatch(/^ +1 .* Ben below Ana\n$/)
  expect(await summitHere(['comment', 'restore', '1'], t.settings)).toEqual({
    code: 0,
    out: `The comment 1 is back, but its topic is deleted: npm run summit -- topic restore ${own}\n`,
    err: '',
  })
  expect(await summitHere(['topic', 'restore', String(own)], t.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).toBe(before)
  expect((await summitHere(['comment', 'restore', '1'], t.settings)).err).toBe('There is no deleted comment 1.\n')
  expect((await summitHere(['topic', 'restore', 'x'], t.settings)).err).toBe(
    '“x” is not an id: it must be a number from 1.\n',
  )
})
