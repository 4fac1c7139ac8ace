import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { fillTables } from '../../test/fill-tables.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

// More rows than a statement may have parameters in the tests (`test/watch-queries.ts`), all by one participant.

test('commands on 6,000 rows of each kind succeed, also where all of them are of one participant', async () => {
  await using storage = await createTestStorage()
  await using folder = await createTemporaryFolder()
  {
    await using t = await startTestAppOn(storage)
    await t.ctx.database.transaction(async (tx) => {
      await fillTables(tx, 6_000)
      for (const change of [
        ...['topic', 'comment', 'file', 'feedback'].map((table) => `update ${table} set created_by = 1`),
        ...[
          "file set blob_key = ''",
          "event set banner = '', photo = ''",
          "participant set photo = ''",
          "speaker set photo = ''",
          "conference set logo = ''",
        ].map((change) => `update ${change}`),
        "update change set hash = ''",
        'delete from revision_record',
        'delete from revision',
        'update comment set topic_id = 1 where id % 2 = 0',
        'update topic_like set topic_id = id % 2 + 1, participant_id = case when id < 3 then 1 else id end',
        'update credential set participant_id = 1, organizer_id = 0',
      ])
        await sql.raw(change).execute(tx)
    })
    await t.ctx.database.afterLoad()
  }
  const settings = { ...storage.settings, BACKUP_TO: join(folder.path, 'backups') }
  const commands = [
    ['export', 'participants', '--out', join(folder.path, 'participants.csv')],
    ['key', 'list'],
    ['organizer', 'list'],
    ['audit', 'list', '--actor', '1'],
    ['check'],
    ['sweep', '--apply'],
    ['participant', 'sign-out', '1'],
    ['participant', 'forget', '2', '--apply', '--keep-posts'],
    ['participant', 'forget', '1', '--apply'],
    ['backup'],
    ['backup', 'verify'],
    ['move', '--to', join(folder.path, 'moved')],
  ]
  for (const command of commands) {
    const { code, err } = await runSummitInProcess(command, settings)
    expect([code, err], command.join(' ')).toEqual([0, ''])
  }
})
