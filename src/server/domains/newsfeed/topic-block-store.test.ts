import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { deepOffset, recountTopics } from './topic-block-store.ts'
import { insertTopic, pageOfTopics, softDeleteTopic } from './topic-store.ts'

test('a deep page equals the result of skipping row by row, with any topics deleted', async () => {
  await using t = await startTestApp()
  const { database } = t.ctx
  const last = deepOffset * 2
  const ids = await database.transaction(async (tx) => {
    // Deletes whole blocks and parts of blocks.
    const isDeleted = (id: number) => id % 7 === 3 || (id > 5_000 && id < 9_500)
    // Most are deleted before the blocks are counted, since deleting one by one is slow.
    const initiallyDeleted = (id: number) => (isDeleted(id) && id < 9_300 ? 1 : 0)
    const rows = Array.from({ length: last }, (_, nth) => ({
      header: `T ${nth}`,
      created_at: 1,
      is_deleted: initiallyDeleted(nth + 1),
    }))
    for (let at = 0; at < last; at += 1_000)
      await tx
        .insertInto('topic')
        .values(rows.slice(at, at + 1_000))
        .execute()
    await recountTopics(tx)
    const { id: newest } = await insertTopic(tx, { header: 'newest', body: '', created_at: 1, created_by: 0 as never })
    for (let id = 9_300; id <= newest; id++) if (isDeleted(id)) await softDeleteTopic(tx, id as typeof newest, 1)
    return tx.selectFrom('topic').select('id').where('is_deleted', '=', 0).orderBy('id', 'desc').execute()
  })
  for (let offset = deepOffset - 3; offset < ids.length + 3; offset += 97) {
    const page = await database.snapshot((db) => pageOfTopics(db, { offset, limit: 5 }))
    expect(page.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 5).map(({ id }) => id))
  }
  expect(ids.length).toBeGreaterThan(deepOffset + 100)
})
