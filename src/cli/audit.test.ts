import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { inCommand } from '../../test/in-command.ts'
import { appendChange } from '../server/log/changes/log.ts'
import type { Db } from '../server/storage/db/tables.ts'
import { AUDIT_KEY, changesOf, startAppWithChanges, verify } from './audit.fixtures.ts'

test('the chain of the log is intact after a write that failed once it was logged, between others', async () => {
  await using t = await startTestApp({ AUDIT_KEY })
  const log = (record: number, fails = false) =>
    inCommand(t, async (scope) => {
      await appendChange(scope, { kind: 'event.updated', record })
      if (fails) throw new Error('changed its mind')
    })
  // The first ones run again one by one, and so do those after them.
  for (const first of [1, 4]) await Promise.allSettled([log(first), log(first + 1, true), log(first + 2)])
  expect((await changesOf(t)).map(({ record_id }) => record_id)).toEqual([1, 3, 4, 6])
  expect(await verify(t)).toMatchObject({ code: 0, err: '' })
})

test.each<[string, (db: Db) => Promise<unknown>, RegExp]>([
  [
    'altered',
    (db) =>
      db
        .updateTable('change')
        .set({ actor_id: 0 as never })
        .where('id', '=', 3)
        .execute(),
    /^ {2}Change 3 does not match its hash/m,
  ],
  [
    'given to another credential',
    (db) => db.updateTable('change').set({ credential_id: 9 }).where('id', '=', 3).execute(),
    /^ {2}Change 3 does not match its hash/m,
  ],
  [
    'deleted',
    (db) => db.deleteFrom('change').where('id', '=', 3).execute(),
    /Changes after 2 and before 4 are missing/,
  ],
  [
    'deleted at the beginning',
    (db) => db.deleteFrom('change').where('id', '=', 1).execute(),
    /Change 2 does not match/,
  ],
  [
    'inserted without a hash',
    (db) => db.insertInto('change').values({ id: 6, at: 1, kind: 'topic.deleted', record_id: 1 }).execute(),
    /Change 6 has no hash: it was inserted or altered/,
  ],
  [
    'inserted with the hash of another',
    async (db) => {
      const { id, ...copy } = await db.selectFrom('change').selectAll().where('id', '=', 5).executeTakeFirstOrThrow()
      await db
        .insertInto('change')
        .values({ ...copy, id: id + 1 })
        .execute()
    },
    /Change 6 does not match/,
  ],
  [
    'exchanged with another',
    async (db) => {
      const move = (from: number, id: number) => db.updateTable('change').set({ id }).where('id', '=', from).execute()
      await move(2, 99)
      await move(3, 2)
      await move(99, 3)
    },
    /Change 2 does not match(.|\n)*Change 3 does not match/,
  ],
])('a change that was %s is named', async (_, alter, found) => {
  await using t = await startAppWithChanges()
  expect(await verify(t)).toMatchObject({ code: 0, err: '' })
  await t.ctx.database.transaction(alter)
  expect(await verify(t)).toMatchObject({ code: 1, out: expect.stringMatching(found) })
})

test('without backups, audit verify says that changes removed at the end do not show; where none has a head, it fails', async () => {
  await using t = await startAppWithChanges()
  expect(await verify(t)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Not compared with backups') })
  const BACKUP_TO = join(t.dataDir, '..', 'none')
  expect(await verify(t, { AUDIT_KEY, BACKUP_TO })).toMatchObject({
    code: 1,
    out: expect.stringContaining('changes may have been removed at its end: see the warning'),
    err: expect.stringMatching(/^WARNING: The log was not compared with/),
  })
})
