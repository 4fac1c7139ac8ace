import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

const audited = ['participant', 'topic', 'comment', 'topic_like', 'file', 'event', 'feedback'] as const

/** Columns that are 0 in most rows, and indexed in the others only. */
const rarelySet = [
  ...audited.flatMap((table) => [[table, 'modified_by'] as const, [table, 'deleted_by'] as const]),
  ['event', 'posted_by'] as const,
  ['idempotency', 'participant_id'] as const,
]

/** What a participant may download or erase. Other columns of authors have no index, which would cost each write. */
const indexed = [
  ['topic', 'created_by'],
  ['comment', 'created_by'],
  ['file', 'created_by'],
  ['topic_like', 'participant_id'],
] as const

/**
 * Finds what is a participant's, who has changed or deleted what, and stored responses by their owners and by those whom
 * they show. Stores what is left to do of an erasure.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const idType = postgres ? 'bigint' : 'integer'
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .alterTable('idempotency')
    .addColumn('participant_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('mention')
    .addColumn('id', idType, identity)
    .addColumn('key', 'text', (column) => column.notNull().references('idempotency.key').onDelete('cascade'))
    .addColumn('participant_id', 'bigint', required)
    .execute()
  await db.schema.createIndex('mention_in_response').on('mention').column('key').execute()
  await db.schema.createIndex('mention_of_participant').on('mention').column('participant_id').execute()

  await db.schema
    .createTable('erasure_step')
    .addColumn('id', idType, identity)
    .addColumn('kind', 'text', required)
    .addColumn('participant_id', 'bigint', required)
    .addColumn('blob_key', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('created_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('erasure_step_of_participant').on('erasure_step').column('participant_id').execute()

  for (const [table, column] of indexed)
    await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
  for (const [table, column] of rarelySet)
    await db.schema
      .createIndex(`${table}_by_${column}`)
      .on(table)
      .column(column)
      .where(sql.ref(column), '<>', sql.lit(0))
      .execute()
  await findOwnersAndMentions(db as Kysely<StoredResponses>)
}

interface StoredResponses {
  idempotency: { key: string; data: string; participant_id: number }
  mention: { key: string; participant_id: number }
}

const batchSize = 200

async function findOwnersAndMentions(db: Kysely<StoredResponses>): Promise<void> {
  for (let after = ''; ; ) {
    const batch = db.selectFrom('idempotency').select(['key', 'data']).orderBy('key').limit(batchSize)
    const rows = await batch.where('key', '>', after).execute()
    for (const { key, data } of rows) {
      const owner = Number(/^participant (\d+) /.exec(key)?.[1] ?? 0)
      if (owner !== 0)
        await db.updateTable('idempotency').set({ participant_id: owner }).where('key', '=', key).execute()
      // Long responses are stored without their text, and media keys as a character that JSON has not.
      const shown = data === '' ? new Set<number>() : findMentions(JSON.parse(data.replaceAll('\u0001', '')))
      const mentions = [...shown].filter((id) => id !== owner).map((participant_id) => ({ key, participant_id }))
      if (mentions.length > 0) await db.insertInto('mention').values(mentions).execute()
    }
    if (rows.length < batchSize) return
    after = rows.at(-1)?.key ?? after
  }
}

const idMembers: ReadonlySet<string> = new Set([
  ...['participant_id', 'created_by', 'modified_by', 'deleted_by', 'posted_by'],
])

/** The participants whom a response names, shows as an author, or shows in a profile. */
function findMentions(data: unknown): Set<number> {
  const ids = new Set<number>()
  const add = (id: unknown): void => {
    if (Number(id) > 0) ids.add(Number(id))
  }
  const search = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(search)
    else if (value instanceof Object) {
      // Only authors and participants have this member.
      if ('designation' in value && 'id' in value) add(value.id)
      for (const [name, member] of Object.entries(value)) {
        if (idMembers.has(name)) add(member)
        else search(member)
      }
    }
  }
  search(data)
  return ids
}
