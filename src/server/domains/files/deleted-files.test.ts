import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { failureAt, get } from './serving.fixtures.ts'

describe('a deleted file', () => {
  const path = '/api/newsfeeds/files/1/a.txt'
  const bytes = { name: 'a.txt', fileType: 'text/plain', data: 'SGVsbG8=' }

  test('is neither served nor listed and cannot be deleted again; its bytes stay for a restore', async () => {
    await using t = await startTestApp()
    await make.topic(t, { uploaded_files: [bytes, 'https://cdn.summit.example/slides.pdf'] })
    t.advance(1_000)

    const { envelope } = await t.client.call('deleteFile', { file_Id: 1 })

    expect(envelope).toMatchObject({
      response_code: 2000,
      data: { message: 'Deleted File Id: 1' },
      system: { message: 'Redirected', redirect_url: 1002 },
    })
    expect(await failureAt(t, path)).toBe(4040)
    expect((await t.client.call('deleteFile', { file_Id: 1 })).envelope).toMatchObject({
      response_code: 4040,
      data: { reason: 'FILE_NOT_FOUND' },
    })
    const [topic] = (await t.client.getTopic({ topic_id: 1 })).NewsFeed
    expect(topic?.content.uploaded_files.map(({ id }) => id)).toEqual(['2'])
    const row = await t.ctx.database.read.selectFrom('file').selectAll().orderBy('id').executeTakeFirst()
    expect(row).toMatchObject({ is_deleted: 1, deleted_at: t.ctx.clock() })
    expect(await make.blobs(t)).toHaveLength(1)
  })

  test('is neither served nor deletable if its topic was deleted', async () => {
    await using t = await startTestApp()
    await make.topic(t, { uploaded_files: [bytes] })
    await t.client.deleteTopic({ topic_id: 1 })
    expect(await failureAt(t, path)).toBe(4040)
    expect(await make.codeOf(t.client.call('deleteFile', { file_Id: 1 }))).toBe(4040)
  })

  test.each(['deleteComment', 'deleteTopic'] as const)(
    'is neither served nor deletable if its comment was deleted by %s',
    async (operation) => {
      await using t = await startTestApp()
      await make.topic(t)
      const { uploaded_files } = await make.comment(t, { topic_id: 1, uploaded_files: [bytes] })
      expect((await get(t, new URL(make.only(uploaded_files).link).pathname)).bytes.toString()).toBe('Hello')
      await t.client.call(operation, { comment_id: 1, topic_id: 1 })
      expect(await failureAt(t, path)).toBe(4040)
      expect(await make.codeOf(t.client.call('deleteFile', { file_Id: 1 }))).toBe(4040)
    },
  )

  test('has a row in the change log, under its topic', async () => {
    await using t = await startTestApp()
    await make.topic(t)
    await make.topic(t)
    await make.comment(t, { topic_id: 2, uploaded_files: [bytes] })
    await t.client.deleteFile({ file_Id: 1 })
    const log = await t.ctx.database.read
      .selectFrom('change')
      .select(['record_id', 'parent_id'])
      .where('kind', '=', 'file.deleted')
      .execute()
    expect(log).toEqual([{ record_id: 1, parent_id: 2 }])
  })
})
