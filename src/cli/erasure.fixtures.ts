import type { TestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'

export const page = { offset: 0, limit: 100 }
const file = { name: 'notes.txt', data: Buffer.from('notes').toString('base64') }

/** Ana, who has posted everything that one can post, and Ben, who has commented. */
export async function world(t: TestApp) {
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
export const seen = async (t: TestApp) =>
  JSON.stringify([
    await t.client.listTopics(page),
    await t.client.listParticipants(page),
    await t.client.listFeedback(page),
  ])
