import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { namingColumns } from '../../src/server/domains/participants/participant-columns.ts'
import { eraseOrAnonymize, eraseParticipant } from '../../src/server/domains/privacy/erase.ts'
import { finishErasures } from '../../src/server/domains/privacy/finish-erasures.ts'
import { type Db, primaryKeys, type Tables } from '../../src/server/storage/db/tables.ts'
import { inCommand } from '../in-command.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'

// Every column that the list of an erasure names, in a row that names the participant there and nowhere else.

type Values = Record<string, string | number | null>

const created_at = 1

/** The other columns of a row, for all tables with a column that names a participant. */
const valuesOf = (nth: number, participant_id: number): { [T in keyof Tables]?: Values } => ({
  participant: { first_name: 'Another', created_at },
  topic: { header: 'T', created_at },
  comment: { topic_id: 1, comment: 'C', created_at },
  topic_like: { topic_id: 1, participant_id: 10_000 + nth, created_at },
  file: { topic_id: 1, file_type: 'text/plain', created_at },
  event: { title: 'E', created_at },
  feedback: { participant_id: 10_000 + nth, created_at },
  idempotency: { key: `response ${nth}`, fingerprint: '', response_code: 1000, data: '{}', created_at },
  mention: { key: 'shown', participant_id },
  erasure_step: { kind: 'photos', participant_id, created_at },
  import_record: { import_id: 1, kind: 'participant', record_id: participant_id, before: '', after: '{}' },
  credential: { kind: 'bearer', secret_sha256: `secret ${nth}`, participant_id, label: 'L', created_at },
  sharing: { participant_id, email: 1, mobile_no: 0, employee_no: 0, is_hidden: 0 },
  login: { participant_id, email: 'somebody@summit.example' },
  code: {
    ...{ purpose: 'sign-in', participant_id, email: '', browser_sha256: '', code_hmac: '', created_at },
  },
})

const untyped = (db: Db) => db as unknown as Kysely<Record<string, Values>>

/** Stores a row for each of these columns. @returns a function that reads each column; undefined for a row that is gone */
async function nameEverywhere(t: AppWithKeys, id: ParticipantId) {
  await t.ben.client.createTopic({ name: 'T', created_by: t.ben.participant })
  const rows = await t.ctx.database.transaction(async (tx) => {
    const shown = { key: 'shown', fingerprint: '', response_code: 1000, data: '{}', created_at }
    await tx.insertInto('idempotency').values(shown).execute()
    await tx.insertInto('import_run').values({ at: 1, command: 'import participants', file: 'a.csv' }).execute()
    const added: { table: keyof Tables; column: string; key: string | number | null }[] = []
    for (const [nth, { table, column }] of namingColumns.entries()) {
      // The change log has its rows, and the participant is one.
      if (table === 'change' || (table === 'participant' && column === 'id')) continue
      const values = { ...valuesOf(nth, id)[table], [column]: id }
      const key = primaryKeys[table]
      const row = await untyped(tx).insertInto(table).values(values).returning(key).executeTakeFirstOrThrow()
      added.push({ table, column, key: row[key] ?? null })
    }
    return added
  })
  return async () => {
    const read = untyped(t.ctx.database.read)
    const found: Record<string, number | string | null | undefined> = {}
    for (const { table, column, key } of rows) {
      const row = await read.selectFrom(table).select(column).where(primaryKeys[table], '=', key).executeTakeFirst()
      found[`${table}.${column}`] = row?.[column]
    }
    return found
  }
}

test.each(['the participant', 'an operator who keeps posts'])(
  'an erasure by %s leaves no name where the list says so',
  async (who) => {
    await using t = await startAppWithKeys('members')
    const { participant } = t.ana
    const readAll = await nameEverywhere(t, participant)
    expect(new Set(Object.values(await readAll()))).toEqual(new Set([participant]))
    await inCommand(t, (scope) =>
      who === 'the participant'
        ? eraseParticipant(scope, participant, 'keep')
        : eraseOrAnonymize(scope, participant, 'keep'),
    )
    await finishErasures(t.ctx, { participant })
    const isFileOf = (table: string, column: string) =>
      table === 'file' && column === 'created_by' && who === 'the participant'
    const expected = namingColumns
      .filter(({ table, column }) => table !== 'change' && !(table === 'participant' && column === 'id'))
      .map(({ table, column, effect }) => {
        const isCleared = effect === 'cleared' && !isFileOf(table, column)
        return [`${table}.${column}`, isCleared ? 0 : undefined]
      })
    expect(await readAll()).toEqual(Object.fromEntries(expected))
    const { read } = t.ctx.database
    expect(await read.selectFrom('participant').select('id').where('id', '=', participant).execute()).toEqual([])
    // The chain of the log says who it was by a number only.
    const changes = await read.selectFrom('change').select('kind').where('record_id', '=', participant).execute()
    expect(changes.map(({ kind }) => kind)).toContain('participant.anonymized')
    expect(await read.selectFrom('erasure_step').select('kind').execute()).toEqual([{ kind: 'rebuild' }])
  },
)
