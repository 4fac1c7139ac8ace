import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ParticipantId } from '../../core/ids.ts'
import { type ColumnChoice, shownColumns } from '../../storage/db/columns.ts'
import { type Db, primaryKeys, type Row, type Tables } from '../../storage/db/tables.ts'

/** The rows of a table that are about a participant. */
interface OwnRows<T extends keyof Tables> {
  /** What they are, in words for the participant. */
  readonly about: string
  /** Withholds secrets, internals, and columns that only identify the owner or kind of a row. */
  readonly columns: ColumnChoice<keyof Row<T> & string>
  of(participant: ParticipantId): RawBuilder<SqlBool>
}

const audit = {
  created_at: 'shown',
  created_by: 'shown',
  modified_at: 'shown',
  modified_by: 'shown',
  is_deleted: 'shown',
  deleted_at: 'shown',
  deleted_by: 'shown',
} as const

const createdBy = (participant: ParticipantId) => sql<SqlBool>`created_by = ${participant}`
const ofParticipant = (participant: ParticipantId) => sql<SqlBool>`participant_id = ${participant}`

/** What each table stores about a participant; undefined for none. A new table has to be listed. */
const ownRows: { [T in keyof Tables]: OwnRows<T> | undefined } = {
  participant: {
    about: 'your profile',
    columns: {
      id: 'shown',
      employee_no: 'shown',
      designation: 'shown',
      email: 'shown',
      first_name: 'shown',
      last_name: 'shown',
      photo: 'shown',
      mobile_no: 'shown',
      gender: 'shown',
      google_id: 'shown',
      ...audit,
    },
    of: (participant) => sql`id = ${participant}`,
  },
  sharing: {
    about: 'what the directory shows of you to other participants',
    columns: { participant_id: 'shown', email: 'shown', mobile_no: 'shown', employee_no: 'shown', is_hidden: 'shown' },
    of: ofParticipant,
  },
  topic: { about: 'your topics', columns: { id: 'shown', header: 'shown', body: 'shown', ...audit }, of: createdBy },
  comment: {
    about: 'your comments',
    columns: { id: 'shown', topic_id: 'shown', comment: 'shown', ...audit },
    of: createdBy,
  },
  topic_like: {
    about: 'your likes',
    columns: { id: 'shown', topic_id: 'shown', participant_id: 'shown', ...audit },
    of: ofParticipant,
  },
  file: {
    about: 'the files that you have attached; their content is in the folder files',
    columns: {
      id: 'shown',
      topic_id: 'shown',
      comment_id: 'shown',
      link: 'shown',
      name: 'shown',
      file_type: 'shown',
      size: 'shown',
      sha256: 'shown',
      ...audit,
      blob_key: 'withheld',
    },
    of: createdBy,
  },
  feedback: {
    about: 'your feedback',
    columns: {
      id: 'shown',
      participant_id: 'shown',
      program_id: 'shown',
      quality: 'shown',
      rating: 'shown',
      relevance: 'shown',
      expectation: 'shown',
      comments: 'shown',
      ...audit,
    },
    // What they have entered for another is that of the other.
    of: ofParticipant,
  },
  credential: {
    about: 'your keys, sessions and invitations, without their secrets, which are not stored',
    columns: {
      id: 'shown',
      kind: 'shown',
      roles: 'shown',
      label: 'shown',
      from_desk: 'shown',
      created_at: 'shown',
      expires_at: 'shown',
      revoked_at: 'shown',
      used_at: 'shown',
      secret_sha256: 'withheld',
      participant_id: 'withheld',
      organizer_id: 'withheld',
      passkey_id: 'withheld',
    },
    of: ofParticipant,
  },
  login: {
    about: 'the address with which you sign in',
    columns: { participant_id: 'shown', email: 'shown', from_desk: 'shown' },
    of: ofParticipant,
  },
  code: {
    about: 'codes that were sent to you, without the digits, which are not stored',
    columns: {
      id: 'shown',
      purpose: 'shown',
      email: 'shown',
      created_at: 'shown',
      wrong_tries: 'shown',
      redeemed_at: 'shown',
      participant_id: 'withheld',
      browser_sha256: 'withheld',
      code_hmac: 'withheld',
    },
    of: ofParticipant,
  },
  import_record: {
    about: 'your profile before and after each import that changed it',
    columns: {
      id: 'shown',
      import_id: 'shown',
      before: 'shown',
      after: 'shown',
      kind: 'withheld',
      record_id: 'withheld',
    },
    of: (participant) => sql`kind = 'participant' and record_id = ${participant}`,
  },
  change: {
    about: 'what you have done, and changes to your profile',
    columns: {
      id: 'shown',
      at: 'shown',
      kind: 'shown',
      record_id: 'shown',
      parent_id: 'shown',
      actor_id: 'withheld',
      request_id: 'withheld',
      credential_id: 'withheld',
      hash: 'withheld',
    },
    of: (participant) => sql`(actor_id = ${participant} or (kind like 'participant.%' and record_id = ${participant}))`,
  },
  // Copies of responses, for retries: they may show what the participant could see only in a role of that time.
  idempotency: undefined,
  mention: undefined,
  erasure_step: undefined,
  topic_block: undefined,
  event: undefined,
  activity: undefined,
  import_run: undefined,
  // Organizers are not participants; somebody who is both has a row in each table.
  organizer: undefined,
  organizer_identity: undefined,
  passkey: undefined,
  passkey_challenge: undefined,
  attempt_count: undefined,
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
    .select(shownColumns<string>(own.columns))
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
