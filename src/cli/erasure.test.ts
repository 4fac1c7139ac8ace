import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { page, seen, world } from './erasure.fixtures.ts'

// An operator deletes records for good, and restores deleted ones.

test('a participant who wishes to be forgotten is deleted with everything that they have posted', async () => {
  await using t = await startTestApp()
  const { ana, other } = await world(t)
  const update = { participantId: ana, mobile: '+41 1' }
  await t.client.updateParticipant(update, { idempotencyKey: 'hers' })
  const before = await seen(t)
  const forget = ['participant', 'forget', String(ana)]
  const plan = await runSummitInProcess(forget, t.settings)
  expect(plan.out).toContain(`participant ${ana}: Ana Cruz <ana@x.org>\n`)
  expect(plan.out).toContain('also deleted: 1 topic with everything below, and 1 comment, with their files\n')
  expect(await seen(t)).toBe(before)

  expect(await runSummitInProcess([...forget, '--apply'], t.settings)).toMatchObject({ code: 0, err: '' })
  const after = await seen(t)
  expect(after).not.toMatch(/Ana|ana@x\.org/)
  expect(after).toContain('Feedback of Ben')
  const { NewsFeed } = await t.client.listTopics(page)
  expect(NewsFeed.map(({ id, likes, comments }) => [Number(id), likes, comments])).toEqual([[other, [], []]])
  expect(await make.blobs(t)).toEqual([])
  expect(await runSummitInProcess(['check'], t.settings)).toMatchObject({ code: 0, err: '' })
  expect(await make.codeOf(t.client.call('updateParticipant', update, { idempotencyKey: 'hers' }))).toBe(4040)
  expect((await runSummitInProcess(forget, t.settings)).err).toBe(`There is no participant ${ana}.\n`)
})

test('feedback is deleted for good', async () => {
  await using t = await startTestApp()
  await world(t)
  const remove = ['feedback', 'delete', '1']
  expect((await runSummitInProcess(remove, t.settings)).out).toContain('Feedback of Ana\n\nNothing was changed.')
  expect(await seen(t)).toContain('Feedback of Ana')
  expect(await runSummitInProcess([...remove, '--apply'], t.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).not.toContain('Feedback of Ana')
  expect((await runSummitInProcess(remove, t.settings)).err).toBe('There is no feedback 1.\n')
})
