import pg from 'pg'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import { runSummitInProcess } from '../../../../../test/command.ts'
import * as make from '../../../../../test/make.ts'

test('a check reads all rows and files of a summit on a server, and finds references to missing rows', async () => {
  await using t = await startTestApp()
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  const intact = await runSummitInProcess(['check'], t.settings)
  expect(intact).toMatchObject({ code: 0, err: '' })
  expect(intact.out).toMatch(/^Checked: \d+ rows, 1 stored file\nNothing is damaged or missing\.\n$/)

  const client = new pg.Client(t.settings.DATABASE_URL)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select conname as name from pg_constraint where conrelid = 'comment'::regclass and contype = 'f'",
  )
  const constraint = pg.escapeIdentifier(rows[0]?.name ?? '')
  await client.query(`alter table comment drop constraint ${constraint}`)
  await client.query('insert into comment (topic_id, comment, created_at) values (404, $1, 1)', ['stray'])
  await client.query(
    `alter table comment add constraint ${constraint} foreign key (topic_id) references topic (id) not valid`,
  )

  const { code, out } = await runSummitInProcess(['check'], t.settings)
  // Restores the constraint for the tests that use this database next.
  await client.query('delete from comment')
  await client.query(`alter table comment validate constraint ${constraint}`)
  await client.end()

  expect(code).toBe(1)
  expect(out).toMatch(/\n {2}comment \d+: the topic that it belongs to does not exist\n/)
})
