import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { namingColumns } from '../../src/server/domains/participants/personal-data.ts'
import { eraseOrAnonymize, eraseParticipant } from '../../src/server/domains/privacy/erase.ts'
import { finishErasures } from '../../src/server/domains/privacy/finish-erasures.ts'
import { type Db, primaryKeys, type Tables } from '../../src/server/storage/db/tables.ts'
import { fillTables } from '../fill-tables.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'

// Every column that the list of an erasure names, in a row that names the participant there and nowhere else.

type Values = Record<string, string | number | null>

const untyped = (db: Db) => db as unknown as Kysely<Record<string, Values>>

/** The change log has its rows, and the participant is one. */
const columns = namingColumns.filter(
  ({ table, column }) => table !== 'change' && !(table === 'participant' && column === 'id'),
)

/** What the kind of a row has to be, so that the column names a participant. */
const kindOf = ({ table, effect }: (typeof columns)[number]): Values => {
  if (effect === 'row of kind') return { kind: 'participant' }
  return table === 'erasure_step' ? { kind: 'photos' } : {}
}

/** Adds a participant whom one row names in each of these columns. Other rows name others. */
async function nameEverywhere(t: AppWithKeys) {
  const { database } = t.ctx
  await database.transaction((tx) => fillTables(tx, 10 + columns.length))
  await database.afterLoad()
  const participant = (await make.participant(t)) as ParticipantId
  const rows = await database.transaction(async (tx) => {
    const db = untyped(tx)
    const named: { table: keyof Tables; column: string; key: string | number | null }[] = []
    for (const [nth, entry] of columns.entries()) {
      const { table, column } = entry
      const key = primaryKeys[table]
      const ofTable = db.selectFrom(table).select(key).orderBy(key).limit(1)
      // The first ones are of the participants with keys.
      const row = await ofTable.offset(nth + 5).executeTakeFirstOrThrow()
      const values = { ...kindOf(entry), [column]: participant }
      await db
        .updateTable(table)
        .set(values)
        .where(key, '=', row[key] ?? null)
        .execute()
      named.push({ table, column, key: { ...row, ...values }[key] ?? null })
    }
    return named
  })
  return {
    participant,
    /** Reads each column; undefined for a row that is gone. */
    readAll: async () => {
      const found: Record<string, number | string | null | undefined> = {}
      for (const { table, column, key } of rows) {
        const ofTable = untyped(database.read).selectFrom(table).select(column)
        const row = await ofTable.where(primaryKeys[table], '=', key).executeTakeFirst()
        found[`${table}.${column}`] = row?.[column]
      }
      return found
    },
  }
}

test.each(['the participant', 'an operator who keeps posts'])(
  'an erasure by %s leaves no name where the list says so',
  async (who) => {
    await using t = await startAppWithKeys('members')
    const { participant, readAll } = await nameEverywhere(t)
    expect(new Set(Object.values(await readAll()))).toEqual(new Set([participant]))
    await inCommand(t, (scope) =>
      who === 'the participant'
        ? eraseParticipant(scope, participant, 'keep')
        : eraseOrAnonymize(scope, participant, 'keep'),
    )
    await finishErasures(t.ctx, { participant })
    const isFileOf = (table: string, column: string) =>
      table === 'file' && column === 'created_by' && who === 'the participant'
    const expected = columns.map(({ table, column, effect }) => {
      const isCleared = effect === 'cleared' && !isFileOf(table, column)
      return [`${table}.${column}`, isCleared ? 0 : undefined]
    })
    expect(await readAll()).toEqual(Object.fromEntries(expected))
    const { read } = t.ctx.database
    expect(await read.selectFrom('participant').select('id').where('id', '=', participant).execute()).toEqual([])
    // The chain of the log says who it was by a number only.
    const changes = await read.selectFrom('change').select('kind').where('record_id', '=', participant).execute()
    expect(changes.map(({ kind }) => kind)).toContain('participant.anonymized')
    const steps = read.selectFrom('erasure_step').select('kind').where('participant_id', '=', participant)
    expect(await steps.execute()).toEqual([{ kind: 'rebuild' }])
  },
)
