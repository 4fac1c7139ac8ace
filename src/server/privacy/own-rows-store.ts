import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ParticipantId } from '../core/ids.ts'
import { type Db, primaryKeys, type Row, type Tables } from '../db/tables.ts'

/** The rows of a table that are about a participant. */
interface OwnRows<T extends keyof Tables> {
  /** What they are, in words for the participant. */
  readonly about: string
  /** The columns that the participant may have: all but secrets. */
  readonly columns: readonly (keyof Row<T>)[]
  of(participant: ParticipantId): RawBuilder<SqlBool>
}

const audit = [
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'is_deleted',
  'deleted_at',
  'deleted_by',
] as const

const createdBy = (participant: ParticipantId) => sql<SqlBool>`created_by = ${participant}`
const ofParticipant = (participant: ParticipantId) => sql<SqlBool>`participant_id = ${participant}`

/** What each table stores about a participant; undefined for none. A new table has to be listed. */
const ownRows: { [T in keyof Tables]: OwnRows<T> | undefined } = {
  participant: {
    about: 'your profile',
    columns: [
      ...(['id', 'employee_no', 'designation', 'email', 'first_name', 'last_name', 'photo', 'mobile_no'] as const),
      ...(['gender', 'google_id', ...audit] as const),
    ],
    of: (participant) => sql`id = ${participant}`,
  },
  sharing: {
    about: 'what the directory shows of you to other participants',
    columns: ['participant_id', 'email', 'mobile_no', 'employee_no', 'is_hidden'],
    of: ofParticipant,
  },
  topic: { about: 'your topics', columns: ['id', 'header', 'body', ...audit], of: createdBy },
  comment: { about: 'your comments', columns: ['id', 'topic_id', 'comment', ...audit], of: createdBy },
  topic_like: { about: 'your likes', columns: ['id', 'topic_id', 'participant_id', ...audit], of: ofParticipant },
  file: {
    about: 'the files that you have attached; their content is in the folder files',
    columns: ['id', 'topic_id', 'comment_id', 'link', 'name', 'file_type', 'size', 'sha256', ...audit],
    of: createdBy,
  },
  feedback: {
    about: 'your feedback',
    columns: [
      ...(['id', 'participant_id', 'program_id', 'quality', 'rating', 'relevance', 'expectation', 'comments'] as const),
      ...audit,
    ],
    of: (participant) => sql`(participant_id = ${participant} or created_by = ${participant})`,
  },
  credential: {
    about: 'your keys, sessions and invitations, without their secrets, which are not stored',
    columns: ['id', 'kind', 'roles', 'label', 'from_desk', 'created_at', 'expires_at', 'revoked_at', 'used_at'],
    of: ofParticipant,
  },
  login: {
    about: 'the address with which you sign in',
    columns: ['participant_id', 'email', 'from_desk'],
    of: ofParticipant,
  },
  code: {
    about: 'codes that were sent to you, without the digits, which are not stored',
    columns: ['id', 'purpose', 'email', 'network', 'created_at', 'wrong_tries', 'redeemed_at'],
    of: ofParticipant,
  },
  import_record: {
    about: 'your profile before and after each import that changed it',
    columns: ['id', 'import_id', 'before', 'after'],
    of: (participant) => sql`kind = 'participant' and record_id = ${participant}`,
  },
  change: {
    about: 'what you have done, and changes to your profile',
    columns: ['id', 'at', 'kind', 'record_id', 'parent_id'],
    of: (participant) => sql`(actor_id = ${participant} or (kind like 'participant.%' and record_id = ${participant}))`,
  },
  idempotency: {
    about: 'responses to your requests, kept for a day in case that they are repeated',
    columns: ['key', 'response_code', 'data', 'created_at'],
    // All keys with this beginning.
    of: (participant) => sql`key >= ${`participant ${participant} `} and key < ${`participant ${participant}!`}`,
  },
  topic_block: undefined,
  event: undefined,
  activity: undefined,
  import_run: undefined,
  // Organizers are no participants; who is both is a row in each.
  organizer: undefined,
  organizer_identity: undefined,
  passkey: undefined,
  passkey_challenge: undefined,
  secret: undefined,
}

/** The tables with rows about participants, in the order in which they are exported, and what these rows are. */
export const ownTables: readonly { table: keyof Tables; about: string }[] = Object.entries(ownRows).flatMap(
  ([table, rows]) => (rows ? [{ table: table as keyof Tables, about: rows.about }] : []),
)

type Value = string | number | null

/** A row about a participant. */
export type OwnRow = Record<string, Value>

/** Rows of one query: a topic may be long. */
const batchSize = 50

/** Ids that one query searches: few columns that name a participant have an index, and a search delays others. */
const searchedIds = 10_000

/** Reads the rows of a table about a participant in the order of their key, in batches. */
export async function* readOwnRows(
  db: Db,
  table: keyof Tables,
  participant: ParticipantId,
): AsyncGenerator<readonly OwnRow[]> {
  const own = ownRows[table]
  if (!own) return
  // Typed by its table, each entry needs no more types here.
  const untyped = db as unknown as Kysely<Record<string, OwnRow>>
  const key = primaryKeys[table]
  const all = untyped
    .selectFrom(table)
    .select([...own.columns])
    .where(own.of(participant))
    .orderBy(key)
  // Rows of tables with another key are found by it.
  if (key !== 'id') return yield* inBatches(all, key)
  const newest = await untyped.selectFrom(table).select(db.fn.max<number>('id').as('id')).executeTakeFirst()
  for (let from = 0; from < Number(newest?.id); from += searchedIds)
    yield* inBatches(all.where('id', '>', from).where('id', '<=', from + searchedIds), key)
}

/** @param ordered by this key, which is one of its columns */
async function* inBatches(
  ordered: SelectQueryBuilder<Record<string, OwnRow>, string, OwnRow>,
  key: string,
): AsyncGenerator<readonly OwnRow[]> {
  for (let after: Value | undefined; ; ) {
    const rest = after === undefined ? ordered : ordered.where(key, '>', after)
    const rows = await rest.limit(batchSize).execute()
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) return
    after = rows.at(-1)?.[key]
  }
}

/** The number of rows of a table about a participant. */
export async function countOwnRows(db: Db, table: keyof Tables, participant: ParticipantId): Promise<number> {
  const own = ownRows[table]
  if (!own) return 0
  const counted = db.selectFrom(table).select(db.fn.countAll<number>().as('rows')).where(own.of(participant))
  return Number((await counted.executeTakeFirst())?.rows ?? 0)
}

/** The stored files that a participant has attached, in batches. */
export async function* readOwnFiles(db: Db, participant: ParticipantId) {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('file')
      .select(['id', 'name', 'blob_key', 'size', 'created_at'])
      .where('created_by', '=', participant)
      .where('blob_key', '<>', '')
      .where('id', '>', after as Row<'file'>['id'])
      .orderBy('id')
      .limit(batchSize)
      .execute()
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? after
  }
}
