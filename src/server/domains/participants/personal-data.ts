import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Data } from '../../../contract/index.ts'
import type { ParticipantId } from '../../core/ids.ts'
import type { Row, Tables } from '../../storage/db/tables.ts'

/** Whether the download has a column. Withheld are secrets, internals, and what only identifies the owner or kind of a row. */
type Choice = 'shown' | 'withheld'

/** What the erasure of a participant does to a column that names them. */
type Effect =
  /** Their rows are deleted. */
  | 'row'
  /** It becomes 0: what others rely on stays, without saying whose it was. */
  | 'cleared'
  /** Their rows are deleted in batches after the commit, by a row of `erasure_step`. */
  | 'step'
  /** It names a participant where `kind` is `participant`. These rows are deleted. */
  | 'row of kind'
  /** The rows of the change log are chained by their hashes: it is a number without a person from then on. */
  | 'stays'

/** A column that names a participant has an effect. */
type Column = Choice | readonly [Choice, Effect]
type NamingColumn = Exclude<Column, Choice>

/** The counts in the plan of an erasure. */
export type CountName = Exclude<keyof Data<'planErasure'>['erasure'], 'posts' | 'keys' | 'rebuild_minutes'>

/** The rows of a table that are about a participant. */
interface OwnRows {
  /** What they are, in words for the participant. */
  readonly about: string
  /** As what the plan of an erasure counts those that participants have written; undefined for all others. */
  readonly counted: CountName | undefined
  of(participant: ParticipantId): RawBuilder<SqlBool>
}

interface PersonalData<R> {
  readonly own: OwnRows | undefined
  readonly columns: { readonly [C in keyof R]: R[C] extends ParticipantId ? NamingColumn : Column }
}

const all =
  <C extends Choice>(choice: C) =>
  <Name extends string>(...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, choice])) as Record<Name, C>
const shown = all('shown')
const withheld = all('withheld')

/** The columns of `Audit`. */
const audit = {
  created_at: 'shown',
  created_by: ['shown', 'cleared'],
  modified_at: 'shown',
  modified_by: ['shown', 'cleared'],
  is_deleted: 'shown',
  deleted_at: 'shown',
  deleted_by: ['shown', 'cleared'],
} as const

const createdBy = (participant: ParticipantId) => sql<SqlBool>`created_by = ${participant}`
const ofParticipant = (participant: ParticipantId) => sql<SqlBool>`participant_id = ${participant}`

/**
 * What each table stores about participants: which of it they may download, in this order, and what their erasure leaves.
 * A new table or column does not compile until it is listed.
 */
const personalData: { readonly [T in keyof Tables]: PersonalData<Row<T>> } = {
  participant: {
    own: { about: 'your profile', counted: undefined, of: (participant) => sql`id = ${participant}` },
    columns: {
      id: ['shown', 'row'],
      ...shown('employee_no', 'designation', 'email', 'first_name', 'last_name', 'photo'),
      ...shown('mobile_no', 'gender', 'google_id'),
      ...audit,
    },
  },
  sharing: {
    own: { about: 'what the directory shows of you to other participants', counted: undefined, of: ofParticipant },
    columns: { participant_id: ['shown', 'row'], ...shown('email', 'mobile_no', 'employee_no', 'is_hidden') },
  },
  // Topics, comments and files are deleted by their author before, unless they are to stay.
  topic: {
    own: { about: 'your topics', counted: 'topics', of: createdBy },
    columns: { ...shown('id', 'header', 'body'), ...audit },
  },
  comment: {
    own: { about: 'your comments', counted: 'comments', of: createdBy },
    columns: { ...shown('id', 'topic_id', 'comment'), ...audit },
  },
  topic_like: {
    own: { about: 'your likes', counted: 'likes', of: ofParticipant },
    columns: { ...shown('id', 'topic_id'), participant_id: ['shown', 'row'], ...audit },
  },
  file: {
    own: {
      about: 'the files that you have attached; their content is in the folder files',
      counted: 'files',
      of: createdBy,
    },
    columns: {
      ...shown('id', 'topic_id', 'comment_id', 'link', 'name', 'file_type', 'size', 'sha256'),
      ...audit,
      ...withheld('blob_key'),
    },
  },
  feedback: {
    // What they have entered for another is that of the other.
    own: { about: 'your feedback', counted: 'feedback', of: ofParticipant },
    columns: {
      ...shown('id'),
      participant_id: ['shown', 'row'],
      ...shown('program_id', 'quality', 'rating', 'relevance', 'expectation', 'comments'),
      ...audit,
    },
  },
  credential: {
    own: {
      about: 'your keys, sessions and invitations, without their secrets, which are not stored',
      counted: undefined,
      of: ofParticipant,
    },
    columns: {
      ...shown('id', 'kind', 'roles', 'label', 'from_desk', 'created_at', 'expires_at', 'revoked_at', 'used_at'),
      ...withheld('secret_sha256', 'organizer_id', 'passkey_id'),
      participant_id: ['withheld', 'row'],
    },
  },
  login: {
    own: { about: 'the address with which you sign in', counted: undefined, of: ofParticipant },
    columns: { participant_id: ['shown', 'row'], ...shown('email', 'from_desk') },
  },
  code: {
    own: {
      about: 'codes that were sent to you, without the digits, which are not stored',
      counted: undefined,
      of: ofParticipant,
    },
    columns: {
      ...shown('id', 'purpose', 'email', 'created_at', 'wrong_tries', 'redeemed_at'),
      // Those that were asked for by nobody's address are found by the address: see `removeParticipants`.
      participant_id: ['withheld', 'row'],
      ...withheld('browser_sha256', 'code_hmac'),
    },
  },
  import_record: {
    own: {
      about: 'your profile before and after each import that changed it',
      counted: undefined,
      of: (participant) => sql`kind = 'participant' and record_id = ${participant}`,
    },
    columns: {
      ...shown('id', 'import_id', 'before', 'after'),
      ...withheld('kind'),
      record_id: ['withheld', 'row of kind'],
    },
  },
  change: {
    own: {
      about: 'what you have done, and changes to your profile',
      counted: undefined,
      of: (participant) =>
        sql`(actor_id = ${participant} or (kind like 'participant.%' and record_id = ${participant}))`,
    },
    columns: {
      ...shown('id', 'at', 'kind'),
      record_id: ['shown', 'stays'],
      ...shown('parent_id'),
      actor_id: ['withheld', 'stays'],
      ...withheld('request_id', 'credential_id', 'hash'),
    },
  },
  conference: {
    own: undefined,
    columns: {
      ...withheld('id', 'title', 'acronym', 'url', 'time_zone', 'first_day', 'last_day', 'slot_minutes'),
      ...withheld('created_at', 'modified_at'),
    },
  },
  room: {
    own: undefined,
    columns: {
      ...withheld('id', 'source', 'source_key', 'guid', 'name', 'building', 'address', 'capacity', 'description'),
      ...withheld('sort', 'created_at', 'modified_at'),
    },
  },
  track: { own: undefined, columns: withheld('id', 'name', 'color', 'sort', 'created_at', 'modified_at') },
  // Speakers are no participants; who is both has a row in each table.
  speaker: {
    own: undefined,
    columns: {
      ...withheld('id', 'source', 'source_key', 'guid', 'name', 'position', 'company', 'biography', 'photo'),
      ...withheld('links', 'created_at', 'modified_at'),
    },
  },
  event_speaker: { own: undefined, columns: withheld('id', 'event_id', 'speaker_id', 'sort') },
  event: {
    own: undefined,
    columns: {
      ...withheld('id', 'source', 'source_key', 'title', 'banner', 'photo', 'date_from', 'date_to', 'program_date'),
      ...withheld('program_time', 'location_name', 'location_address', 'venue', 'speaker', 'position', 'company'),
      ...withheld('description', 'details', 'guid', 'room_id', 'track_id', 'subtitle', 'type', 'language', 'tags'),
      ...withheld('links', 'code', 'slug', 'license', 'do_not_record', 'is_cancelled', 'is_posted', 'posted_at'),
      posted_by: ['withheld', 'cleared'],
      ...withheld('created_at', 'modified_at', 'is_deleted', 'deleted_at'),
      created_by: ['withheld', 'cleared'],
      modified_by: ['withheld', 'cleared'],
      deleted_by: ['withheld', 'cleared'],
    },
  },
  activity: { own: undefined, columns: withheld('id', 'event_id', 'date', 'time', 'title') },
  topic_block: { own: undefined, columns: withheld('block', 'kept') },
  idempotency: {
    // Copies of responses, for retries: they may show what the participant could see only in a role of that time.
    own: undefined,
    columns: {
      ...withheld('key', 'fingerprint', 'response_code', 'data', 'created_at'),
      participant_id: ['withheld', 'step'],
    },
  },
  mention: { own: undefined, columns: { ...withheld('id', 'key'), participant_id: ['withheld', 'step'] } },
  erasure_step: {
    own: undefined,
    columns: { ...withheld('id', 'kind', 'blob_key', 'created_at'), participant_id: ['withheld', 'step'] },
  },
  import_run: { own: undefined, columns: withheld('id', 'at', 'command', 'file', 'undone_at') },
  // Organizers are not participants; somebody who is both has a row in each table.
  organizer: { own: undefined, columns: withheld('id', 'email', 'roles', 'created_at', 'removed_at') },
  organizer_identity: {
    own: undefined,
    columns: withheld('organizer_id', 'issuer', 'subject', 'name', 'connected_at'),
  },
  passkey: {
    own: undefined,
    columns: {
      ...withheld('id', 'webauthn_id', 'public_key', 'counter', 'transports'),
      ...withheld('organizer_id', 'label', 'created_at', 'used_at'),
    },
  },
  passkey_challenge: { own: undefined, columns: withheld('secret_sha256', 'organizer_id', 'expires_at') },
  attempt_count: { own: undefined, columns: withheld('key_hmac', 'attempts', 'ends_at') },
  secret: { own: undefined, columns: withheld('name', 'value') },
}

const tables = Object.entries(personalData).map(([table, { own, columns }]) => ({
  table: table as keyof Tables,
  own,
  columns: Object.entries<Column>(columns),
}))

/** The tables with rows about participants. */
export const ownTables = tables.flatMap(({ table, own, columns }) => {
  const isShown = ([, column]: [string, Column]) => (typeof column === 'string' ? column : column[0]) === 'shown'
  return own ? [{ table, ...own, shown: columns.filter(isShown).map(([name]) => name) }] : []
})

export type OwnTable = (typeof ownTables)[number]

/** The columns that name a participant. */
export const namingColumns = tables.flatMap(({ table, columns }) =>
  columns.flatMap(([column, stated]) => (typeof stated === 'string' ? [] : [{ table, column, effect: stated[1] }])),
)
