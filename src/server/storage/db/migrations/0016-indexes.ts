import type { Kysely } from 'kysely'

/** Indexes without which requests, erasures and the checks of foreign keys would read whole tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const create = (name: string, table: string, ...columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns).execute()

  // Most credentials have no organizer, so an index of either column alone would find all of them.
  await db.schema.dropIndex('credential_of_participant').execute()
  await create('credential_of_holder', 'credential', 'participant_id', 'organizer_id')

  // Partial indexes are not used for foreign keys, so these have deleted rows too.
  await db.schema.dropIndex('comment_of_topic').execute()
  await create('comment_of_topic', 'comment', 'topic_id', 'is_deleted', 'id')
  await create('like_of_topic', 'topic_like', 'topic_id')
  await db.schema.dropIndex('feedback_of_participant').execute()
  await create('feedback_of_participant', 'feedback', 'participant_id', 'is_deleted', 'id')

  // The end of the program.
  await create('activity_by_date', 'activity', 'date')

  // To find out whether a stored picture is still used.
  await create('event_by_banner', 'event', 'banner')
  await create('event_by_photo', 'event', 'photo')
  await create('participant_by_photo', 'participant', 'photo')
}
