import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { ParticipantId, TopicId } from '../../core/ids.ts'
import { createDb as createPostgresDb } from './postgres/queries.ts'
import { createDb as createSqliteDb } from './sqlite/queries.ts'

// The compilers override protected methods of Kysely's, which another version may rename in silence.

test('on SQLite, a limit is an expression, so that queries are not planned by its value', () => {
  using connection = new DatabaseSync(':memory:')
  const db = createSqliteDb(connection)
  expect(db.selectFrom('topic').select('id').limit(5).compile().sql).toMatch(/ limit \? \+ 0$/)
})

const postgres = createPostgresDb(() => Promise.reject(new Error('Not to be run')))
const topics = postgres.selectFrom('topic').select('topic.id')

test('on PostgreSQL, a list of values is one parameter, unless it has a single value', () => {
  const ofTopics = (ids: number[]) => topics.where('id', 'in', ids as TopicId[]).compile()
  expect(ofTopics([1, 2])).toMatchObject({ sql: expect.stringMatching(/"id" = any\(\$1\)$/), parameters: [[1, 2]] })
  expect(ofTopics([1]).sql).toMatch(/"id" in \(\$1\)$/)
})

test('on PostgreSQL, a subquery for values is an array, so that it runs once', () => {
  const authors = postgres
    .selectFrom('participant')
    .select('id')
    .where('id', '=', 1 as ParticipantId)
  expect(topics.where('created_by', 'in', authors).compile().sql).toMatch(/"created_by" = any\(array\(select .*\)\)$/)
})

test('on PostgreSQL, a left join is a lookup for each row', () => {
  const withAuthor = topics.leftJoin('participant as author', 'author.id', 'topic.created_by').compile().sql
  expect(withAuthor).toMatch(
    / left join lateral \(select \* from "participant" as "author" where .* offset 0\) as "author" on true$/,
  )
})
