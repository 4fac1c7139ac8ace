import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../../../test/app.ts'
import { bigTables, fillTables } from '../../../../test/fill-tables.ts'
import { recordStatements } from '../../../../test/record-statements.ts'
import { findPostgresFlaws, findSqliteFlaws, isLimited, type PostgresPlan } from './plans.fixtures.ts'
import { databaseFile } from './sqlite/open.ts'

/** Statements that read a whole table, or much of it, by the file that builds them, and why they may. */
const exceptions: [file: RegExp, statement: RegExp, reason: string][] = [
  [/(commands\/(move|backup)|domains\/export)\//, /./, 'a move, backup or export reads everything'],
  [/snapshot-reads\.ts$/, /^select "id" from "topic"$/, 'only its first row is read'],
  [/(participants|program)\/store\.ts$/, /^select \* from "\w+" where "is_deleted" = \S+ order by "id"$/, 'imports'],
  [/login-store\.ts$/, /^select \* from "login"$/, 'an import compares its file with all addresses'],
  [
    /store\.ts$/,
    /^select count\(\*\)[^()]* where "(is_deleted|created_at)"/,
    'commands and the first page say how many there are',
  ],
  [/(program|participants|files)\/(picture-)?store\.ts$/, /^select .*count\(/, 'check, sweep and backup count blobs'],
  [/program\/store\.ts$/, /order by "activity"."date" desc limit/, 'the last event that is not deleted'],
  [
    /program\/schedule-store\.ts$/,
    /^select "(event_id"|id", "(guid|source_key|created_at)")/,
    'the schedule is the whole program',
  ],
  [
    /program\/record-store\.ts$/,
    /^select \* from "\w+" order by "id"$/,
    'rooms and tracks are few, and the conference is one',
  ],
  [/program\/record-store\.ts$/, /^select count\(/, 'the overview of organizers counts speakers'],
  [/program\/store\.ts$/, /"banner" <> /, 'a start looks for the newest picture'],
  [/program\/store\.ts$/, /^select "id", "draft" /, 'what is removed must not be in a draft'],
  [/program\/store\.ts$/, /"deleted_at" = \S+ order by "id"$/, 'the draft is the whole program'],
  [
    /program\/store\.ts$/,
    /^select "event_id", "title" from "activity" order by "id"$/,
    'an import looks for clashes in the whole program',
  ],
  [/revisions\/store\.ts$/, /^select max\(/, 'the lists of rooms and tracks have few revisions'],
  [
    /revisions\/store\.ts$/,
    /"before" (=|<>) /,
    'an undo looks at all former states, an import at whom others have created',
  ],
  [/revisions\/store\.ts$/, /"command" = /, 'an import of participants looks for the one before'],
  [/revisions\/store\.ts$/, / from "revision" where "kind" = /, 'a list of imports passes over the edits since'],
  [/revisions\/store\.ts$/, /"after" like /, 'the erasure of a speaker'],
  [/participants\/store\.ts$/, /"is_hidden" = 1/, 'the few who are hidden, once for each page'],
  [/personal-data-store\.ts$/, /"created_by" /, 'an erasure, or the undo of an import, of up to 1,000 people at once'],
  [/feedback\/store\.ts$/, /"program_id" in /, 'the undo of an import'],
  [/stars\/store\.ts$/, /count\(/, 'an export counts the stars of every event'],
  [/topic-block-store\.ts$/, /./, 'one row for 4,096 topics'],
  [/changes\/find-changes\.ts$/, /./, 'the log has no index for filters, which would cost each write (decision 39)'],
  [/changes\/read-log\.ts$/, /./, 'audit verify reads the whole log; cached responses follow its end'],
  [/(privacy|ledger)\/.*\.ts$/, /from "change"/, 'the log is read in batches, as it has no index'],
  [/idempotency\/erase\.ts$/, /"data" like /, 'the erasure of a speaker'],
  [/idempotency\/erase\.ts$/, /"key" like /, 'a restore looks for the stored responses of sign-ins'],
  [/organizers\/.*store\.ts$/, /from "organizer"/, 'organizers are few, and listed as a whole'],
  [/credential-store\.ts$/, /"newer"/, 'once a day, what has ended is deleted'],
  [/credential-store\.ts$/, /"kind" in |"kind" = \S+ and "revoked_at"/, 'key list and restore read all credentials'],
]

test('no statement of the product reads a whole table of 100,000 rows', { timeout: 3_600_000 }, async () => {
  await using storage = await createTestStorage()
  const { DATABASE_URL: url } = storage.settings
  const statements = await recordStatements()
  expect(statements.length).toBeGreaterThan(300)
  await using t = await startTestAppOn(storage)
  await t.ctx.database.transaction((tx) => fillTables(tx, 100_000))

  await t.ctx.database.afterLoad()
  await using explain = url ? await explainOnServer(url) : await explainInFolder(storage.dataDir)

  const found = new Set<string>()
  const unused = new Set(exceptions)
  for (const { text, file } of statements) {
    // A migration runs once, on a schema that is no longer that of the tables here.
    if (/migrat/.test(file) || !/^(select|insert|update|delete|with)/i.test(text)) continue
    // To delete every row is to read every row.
    if (/^delete from "\w+"$/.test(text)) continue
    const flaws = await explain.findFlaws(text)
    const serious = flaws.filter((flaw) => bigTables.includes(flaw.table as never) && !isLimited(text, flaw))
    if (serious.length === 0) continue
    const exception = exceptions.find(([files, statement]) => files.test(file) && statement.test(text))
    if (exception) unused.delete(exception)
    else for (const { line } of serious) found.add(`${file}: ${line}: ${text}`)
  }
  expect([...found]).toEqual([])
  // An exception that excuses nothing would hide what is added later. Some statements exist on one engine only.
  if (!url) expect([...unused]).toEqual([])
})

const maxParameters = 100

const pageRows = 100

/** Statements that only one of the engines is sent. */
const isOfServer = (text: string): boolean => /\$\d|\bpg_/.test(text)
const isForFolder = (text: string): boolean => /sqlite_|pragma/i.test(text)

async function explainInFolder(dataDir: string) {
  const connection = new DatabaseSync(databaseFile(dataDir))
  // Statistics say how many rows an index finds. The product stores none, so plans must not depend on them.
  connection.exec('analyze')
  const stats = connection.prepare('select idx, stat from sqlite_stat1 where idx is not null').all()
  const perKey = new Map(stats.map(({ idx, stat }) => [String(idx), String(stat).split(' ').map(Number)]))
  connection.exec('drop table sqlite_stat1; drop table if exists sqlite_stat4')
  connection.close()
  const planner = new DatabaseSync(databaseFile(dataDir))
  return {
    findFlaws: async (text: string) => {
      if (isOfServer(text)) return []
      const plan = planner.prepare(`explain query plan ${text}`).all()
      return findSqliteFlaws(
        plan.map(({ detail }) => String(detail)),
        perKey,
      )
    },
    [Symbol.asyncDispose]: async () => planner.close(),
  }
}

async function explainOnServer(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  return {
    findFlaws: async (text: string) => {
      if (isForFolder(text)) return []
      // Of so many records, a plan reads much of a table; the same statement is recorded with a few.
      if (text.split('?').length > maxParameters) return []
      let count = 0
      // The query builder writes the same statement for both engines, but for limits and the names of parameters. A plan
      // for any values would assume that a limit returns a tenth of the table.
      const ofServer = text.replaceAll(/ limit \?( \+ 0)?/g, ` limit ${pageRows}`).replaceAll('?', () => `$${++count}`)
      const { rows } = await client.query(`explain (generic_plan, format json) ${ofServer}`)
      return (rows[0]['QUERY PLAN'] as { Plan: PostgresPlan }[]).flatMap(({ Plan }) => findPostgresFlaws(Plan))
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
