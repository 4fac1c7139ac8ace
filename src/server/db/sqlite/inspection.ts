import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Inspection, mostNamed } from '../inspection.ts'
import { queries } from './connection.ts'
import { fileIn } from './open.ts'

/** How long to wait for a server that is just opening or closing the file. */
const busyMs = 5_000

export async function inspectSqlite(dir: string): Promise<Inspection> {
  const file = fileIn(dir)
  // Where nobody has the file open, a connection for reading would leave an empty log behind, which only a writer removes.
  const connection = new DatabaseSync(file, { readOnly: existsSync(`${file}-wal`), timeout: busyMs })
  connection.exec('pragma query_only = 1')
  return {
    read: queries(connection),
    async *findDamage() {
      yield* integrityProblems(connection)
      yield* danglingRows(connection)
    },
    close: async () => connection.close(),
  }
}

/** https://www.sqlite.org/pragma.html#pragma_integrity_check */
function* integrityProblems(connection: DatabaseSync): Generator<string> {
  // Some are several lines, the first of which names the database.
  for (const { integrity_check } of connection.prepare(`pragma integrity_check(${mostNamed})`).iterate())
    for (const line of String(integrity_check).split('\n'))
      if (line !== 'ok' && !line.startsWith('***')) yield `summit.db: ${line}`
}

/** https://www.sqlite.org/pragma.html#pragma_foreign_key_check */
function* danglingRows(connection: DatabaseSync): Generator<string> {
  for (const { table, rowid, parent } of connection.prepare('pragma foreign_key_check').iterate())
    yield `${table} ${rowid}: the ${parent} that it belongs to does not exist`
}
