import { type Kysely, sql } from 'kysely'

/**
 * Imports become revisions, of which edits, publications and undos are others. Events have a draft, and a sequence, which
 * rises with every change that calendars have to know.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_run').renameTo('revision').execute()
  await db.schema.alterTable('import_record').renameTo('revision_record').execute()
  await db.schema.alterTable('revision_record').renameColumn('import_id', 'revision_id').execute()
  await db.schema.dropIndex('import_record_of_run').execute()
  await db.schema.dropIndex('import_record_by_record').execute()
  const index = (name: string, ...columns: string[]) =>
    db.schema.createIndex(name).on('revision_record').columns(columns).execute()
  await index('record_of_revision', 'revision_id', 'kind', 'record_id')
  await index('revision_of_record', 'kind', 'record_id', 'revision_id')

  const add = (table: string, name: string, type: 'text' | 'integer' | 'bigint', value: string | number) =>
    db.schema
      .alterTable(table)
      .addColumn(name, type, (column) => column.notNull().defaultTo(value))
      .execute()
  await add('revision', 'kind', 'text', 'import')
  await add('revision', 'undoes', 'bigint', 0)
  await add('revision', 'organizer_id', 'bigint', 0)
  await add('revision', 'note', 'text', '')
  await add('revision', 'notes', 'text', '[]')
  await db.schema
    .createIndex('revision_with_notes')
    .on('revision')
    .column('id')
    .where(sql.ref('notes'), '<>', sql.lit('[]'))
    .execute()
  await add('event', 'draft', 'text', '')
  await add('event', 'sequence', 'integer', 0)
  await db.schema.alterTable('conference').addColumn('hue', 'integer').execute()
  await add('conference', 'logo', 'text', '')
  await addColumnsToStates(db as Kysely<Revisions>)
}

interface Revisions {
  revision_record: { id: number; kind: string; before: string; after: string }
}

/** The columns that stored states have besides, so that they equal what is stored: `sequence` is in none. */
const columnsOf: Readonly<Record<string, object>> = { event: { draft: '' }, conference: { hue: null, logo: '' } }

const batchSize = 200

async function addColumnsToStates(db: Kysely<Revisions>): Promise<void> {
  for (let after = 0; ; ) {
    const records = await db
      .selectFrom('revision_record')
      .select(['id', 'kind', 'before', 'after'])
      .where('kind', 'in', Object.keys(columnsOf))
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const { id, kind, before, after } of records)
      await db
        .updateTable('revision_record')
        .set({ before: withColumns(before, columnsOf[kind]), after: withColumns(after, columnsOf[kind]) })
        .where('id', '=', id)
        .execute()
    after = records.at(-1)?.id ?? after
    if (records.length < batchSize) return
  }
}

/** States have their members in the order of the alphabet. */
function withColumns(state: string, columns: object | undefined): string {
  if (state === '') return state
  const { row, ...others } = JSON.parse(state) as { row: object }
  const sorted = Object.fromEntries(Object.entries({ ...row, ...columns }).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify(
    Object.fromEntries(Object.entries({ ...others, row: sorted }).sort(([a], [b]) => (a < b ? -1 : 1))),
  )
}
