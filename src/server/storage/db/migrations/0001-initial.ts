import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** The first schema: everything of the interface specification, the change log and idempotency keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  // Ids are never reused, not even after the newest row was deleted.
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const idType = postgres ? 'bigint' : 'integer'
  const number = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('')
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  const audited = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
    table
      .addColumn('created_at', 'bigint', required)
      .addColumn('created_by', 'bigint', number)
      .addColumn('modified_at', 'bigint', number)
      .addColumn('modified_by', 'bigint', number)
      .addColumn('is_deleted', 'integer', number)
      .addColumn('deleted_at', 'bigint', number)
      .addColumn('deleted_by', 'bigint', number)

  await audited(
    db.schema
      .createTable('participant')
      .addColumn('id', idType, identity)
      .addColumn('employee_no', 'text', text)
      .addColumn('designation', 'text', text)
      .addColumn('email', 'text', text)
      .addColumn('first_name', 'text', text)
      .addColumn('last_name', 'text', text)
      .addColumn('photo', 'text', text)
      .addColumn('mobile_no', 'text', text)
      .addColumn('gender', 'text', text)
      .addColumn('google_id', 'text', text),
  ).execute()

  await audited(
    db.schema
      .createTable('topic')
      .addColumn('id', idType, identity)
      .addColumn('header', 'text', required)
      .addColumn('body', 'text', text),
  ).execute()

  await audited(
    db.schema
      .createTable('comment')
      .addColumn('id', idType, identity)
      .addColumn('topic_id', 'bigint', (column) => column.notNull().references('topic.id'))
      .addColumn('comment', 'text', required),
  ).execute()
  await db.schema
    .createIndex('comment_of_topic')
    .on('comment')
    .columns(['topic_id', 'id'])
    .where(sql.ref('is_deleted'), '=', sql.lit(0))
    .execute()

  await audited(
    db.schema
      .createTable('topic_like')
      .addColumn('id', idType, identity)
      .addColumn('topic_id', 'bigint', (column) => column.notNull().references('topic.id'))
      .addColumn('participant_id', 'bigint', required),
  ).execute()
  await db.schema
    .createIndex('one_like_each')
    .unique()
    .on('topic_like')
    .columns(['topic_id', 'participant_id'])
    .where(sql.ref('is_deleted'), '=', sql.lit(0))
    .execute()

  await audited(
    db.schema
      .createTable('file')
      .addColumn('id', idType, identity)
      .addColumn('topic_id', 'bigint', (column) => column.references('topic.id'))
      .addColumn('comment_id', 'bigint', (column) => column.references('comment.id'))
      .addColumn('link', 'text', text)
      .addColumn('blob_key', 'text', text)
      .addColumn('name', 'text', text)
      .addColumn('file_type', 'text', required)
      .addColumn('size', 'bigint', number)
      .addColumn('sha256', 'text', text),
  ).execute()
  await db.schema
    .createIndex('file_of_topic')
    .on('file')
    .columns(['topic_id', 'id'])
    .where(sql.ref('topic_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('file_of_comment')
    .on('file')
    .columns(['comment_id', 'id'])
    .where(sql.ref('comment_id'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('file_by_blob')
    .unique()
    .on('file')
    .column('blob_key')
    .where(sql.ref('blob_key'), '<>', sql.lit(''))
    .execute()

  await audited(
    db.schema
      .createTable('event')
      .addColumn('id', idType, identity)
      .addColumn('source', 'text', text)
      .addColumn('source_key', 'text', text)
      .addColumn('title', 'text', required)
      .addColumn('banner', 'text', text)
      .addColumn('photo', 'text', text)
      .addColumn('date_from', 'text')
      .addColumn('date_to', 'text')
      .addColumn('program_date', 'text', text)
      .addColumn('program_time', 'text', text)
      .addColumn('location_name', 'text', text)
      .addColumn('location_address', 'text', text)
      .addColumn('venue', 'text', text)
      .addColumn('speaker', 'text', text)
      .addColumn('position', 'text', text)
      .addColumn('company', 'text', text)
      .addColumn('description', 'text', text)
      .addColumn('details', 'text', text)
      .addColumn('is_cancelled', 'integer', number)
      .addColumn('is_posted', 'integer', number)
      .addColumn('posted_at', 'bigint', number)
      .addColumn('posted_by', 'bigint', number),
  ).execute()
  await db.schema
    .createIndex('event_in_order')
    .on('event')
    .expression(sql`(case when date_from is null then 1 else 0 end), date_from, id`)
    .where(sql.ref('is_deleted'), '=', sql.lit(0))
    .execute()
  await db.schema
    .createIndex('event_of_source')
    .unique()
    .on('event')
    .columns(['source', 'source_key'])
    .where(sql.ref('source_key'), '<>', sql.lit(''))
    .execute()

  await db.schema
    .createTable('activity')
    .addColumn('id', idType, identity)
    .addColumn('event_id', 'bigint', (column) => column.notNull().references('event.id'))
    .addColumn('date', 'text', required)
    .addColumn('time', 'text', required)
    .addColumn('title', 'text', required)
    .execute()
  await db.schema.createIndex('activity_of_event').on('activity').columns(['event_id', 'date', 'time', 'id']).execute()

  await audited(
    db.schema
      .createTable('feedback')
      .addColumn('id', idType, identity)
      .addColumn('participant_id', 'bigint', required)
      .addColumn('program_id', 'bigint', number)
      .addColumn('quality', 'text', text)
      .addColumn('rating', 'text', text)
      .addColumn('relevance', 'text', text)
      .addColumn('expectation', 'text', text)
      .addColumn('comments', 'text'),
  ).execute()
  await db.schema
    .createIndex('feedback_of_participant')
    .on('feedback')
    .columns(['participant_id', 'id'])
    .where(sql.ref('is_deleted'), '=', sql.lit(0))
    .execute()

  // Deep pages skip over these narrow indexes instead of over whole rows.
  for (const table of ['participant', 'topic', 'feedback'])
    await db.schema
      .createIndex(`${table}_kept`)
      .on(table)
      .column('id')
      .where(sql.ref('is_deleted'), '=', sql.lit(0))
      .execute()

  await db.schema
    .createTable('change')
    .addColumn('id', idType, identity)
    .addColumn('at', 'bigint', required)
    .addColumn('kind', 'text', required)
    .addColumn('record_id', 'bigint', required)
    .addColumn('parent_id', 'bigint', number)
    .addColumn('actor_id', 'bigint', number)
    .addColumn('request_id', 'text', text)
    .execute()

  await db.schema
    .createTable('idempotency')
    .addColumn('key', 'text', (column) => column.notNull().primaryKey())
    .addColumn('fingerprint', 'text', required)
    .addColumn('response_code', 'integer', required)
    .addColumn('data', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('idempotency_by_age').on('idempotency').column('created_at').execute()
}
