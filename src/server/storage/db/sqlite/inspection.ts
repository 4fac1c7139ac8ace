import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Inspection, maxReported } from '../inspection.ts'
import { databaseFile } from './open.ts'
import { createDb } from './queries.ts'

/** How long to wait for a server that is opening or closing the file. */
const busyTimeoutMs = 5_000

export async function inspectSqlite(dir: string): Promise<Inspection> {
  const file = databaseFile(dir)
  // If no other process has the file open, a read-only connection would leave an empty log behind, which only a writer
  // removes.
  const connection = new DatabaseSync(file, { readOnly: existsSync(`${file}-wal`), timeout: busyTimeoutMs })
  connection.exec('pragma query_only = 1')
  return {
    read: createDb(connection),
    async *findDamage() {
      yield* integrityProblems(connection)
      yield* danglingRows(connection)
    },
    close: async () => connection.close(),
  }
}

/** https://www.sqlite.org/pragma.html#pragma_integrity_check */
function* integrityProblems(connection: DatabaseSync): Generator<string> {
  // A message may have several lines, the first of which names the database.
  for (const { integrity_check } of connection.prepare(`pragma integrity_check(${maxReported})`).iterate())
    for (const line of String(integrity_check).split('\n'))
      if (line !== 'ok' && !line.startsWith('***')) yield `summit.db: ${line}`
}

/** https://www.sqlite.org/pragma.html#pragma_foreign_key_check */
function* danglingRows(connection: DatabaseSync): Generator<string> {
  for (const { table, rowid, parent } of connection.prepare('pragma foreign_key_check').iterate())
    yield `${table} ${rowid}: the ${parent} that it belongs to does not exist`
}
