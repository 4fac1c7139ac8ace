import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { ParticipantId, TopicId } from '../../core/ids.ts'

describe('every record by a participant', () => {
  /**
   * Creates one of each kind, by a participant who need not exist.
   * @returns a function that reads the authors everywhere
   */
  async function createEach(t: TestApp, created_by: number) {
    const [first, second] = [await make.topic(t, { created_by }), await make.topic(t, { created_by })]
    const topic_id = Number(second.id)
    const comment_id = Number((await make.comment(t, { topic_id, created_by })).id)
    const like = { topic_id: topic_id as TopicId, participant_id: created_by as ParticipantId, created_at: 1 }
    await t.ctx.database.transaction((tx) => tx.insertInto('topic_like').values(like).execute())
    await t.client.addFeedback({ participant_id: created_by, comments: 'Well done' })
    const page = { offset: 0, limit: 10 }
    return async () => {
      const { NewsFeed: feed } = await t.client.listTopics(page)
      const { NewsFeed: details } = await t.client.getTopic({ topic_id })
      const { comments } = await t.client.listComments({ topic_id, ...page })
      const { comments: one } = await t.client.getComment({ comment_id })
      const { feedbacks } = await t.client.listFeedback(page)
      const { feedbacks: own } = await t.client.listFeedbackOfParticipant({ participant_id: created_by, ...page })
      const topics = [...feed, ...details]
      expect(topics.map(({ id }) => id)).toEqual([second.id, first.id, second.id])
      return {
        topics: topics.map(({ author }) => author),
        likes: topics.flatMap(({ likes }) => likes),
        embedded: topics.flatMap(({ comments }) => comments.map(({ author }) => author)),
        comments: [...comments, ...one].map(({ author }) => author),
        feedback: [...feedbacks, ...own].map(({ author }) => author),
      }
    }
  }

  const everywhere = (author: object) => ({
    topics: [author, author, author],
    likes: [author, author],
    embedded: [author, author],
    comments: [author, author],
    feedback: [author, author],
  })

  test('shows the current name, even after the participant is deleted', async () => {
    await using t = await startTestApp()
    await make.participant(t)
    const authors = await createEach(t, 1)
    await t.client.updateParticipant({ participantId: 1, last_name: 'Reyes' })
    await t.ctx.database.transaction((tx) => tx.updateTable('participant').set({ is_deleted: 1 }).execute())
    expect(await authors()).toMatchObject(everywhere({ id: '1', name: 'Ana Reyes', designation: 'Engineer' }))
  })

  test('shows an unknown author if there is no such participant', async () => {
    await using t = await startTestApp()
    const authors = await createEach(t, 77)
    expect(await authors()).toEqual(everywhere({ id: null, name: ' ', designation: null, photoUrl: null }))
  })

  test('shows no photo with a scheme that is no longer accepted', async () => {
    await using t = await startTestApp()
    await make.participant(t, { photo: 'javascript:alert(1)' })
    const authors = await createEach(t, 1)
    expect(await authors()).toMatchObject(everywhere({ id: '1', photoUrl: null }))
  })
})
