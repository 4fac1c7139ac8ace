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
 * Columns are listed one by one, as only then does a missing, unknown or repeated one not compile.
 */
const personalData: { readonly [T in keyof Tables]: PersonalData<Row<T>> } = {
  participant: {
    own: { about: 'your profile', counted: undefined, of: (participant) => sql`id = ${participant}` },
    columns: {
      id: ['shown', 'row'],
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
  },
  sharing: {
    own: { about: 'what the directory shows of you to other participants', counted: undefined, of: ofParticipant },
    columns: {
      participant_id: ['shown', 'row'],
      email: 'shown',
      mobile_no: 'shown',
      employee_no: 'shown',
      is_hidden: 'shown',
    },
  },
  // Topics, comments and files are deleted by their author before, unless they are to stay.
  topic: {
    own: { about: 'your topics', counted: 'topics', of: createdBy },
    columns: { id: 'shown', header: 'shown', body: 'shown', ...audit },
  },
  comment: {
    own: { about: 'your comments', counted: 'comments', of: createdBy },
    columns: { id: 'shown', topic_id: 'shown', comment: 'shown', ...audit },
  },
  topic_like: {
    own: { about: 'your likes', counted: 'likes', of: ofParticipant },
    columns: { id: 'shown', topic_id: 'shown', participant_id: ['shown', 'row'], ...audit },
  },
  file: {
    own: {
      about: 'the files that you have attached; their content is in the folder files',
      counted: 'files',
      of: createdBy,
    },
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
  },
  feedback: {
    // What they have entered for another is that of the other.
    own: { about: 'your feedback', counted: 'feedback', of: ofParticipant },
    columns: {
      id: 'shown',
      participant_id: ['shown', 'row'],
      program_id: 'shown',
      quality: 'shown',
      rating: 'shown',
      relevance: 'shown',
      expectation: 'shown',
      comments: 'shown',
      ...audit,
    },
  },
  star: {
    own: { about: 'the sessions that you have starred', counted: 'stars', of: ofParticipant },
    columns: { id: 'shown', participant_id: ['shown', 'row'], event_id: 'shown', created_at: 'shown' },
  },
  credential: {
    own: {
      about: 'your keys, sessions and invitations, without their secrets, which are not stored',
      counted: undefined,
      of: ofParticipant,
    },
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
      organizer_id: 'withheld',
      passkey_id: 'withheld',
      participant_id: ['withheld', 'row'],
    },
  },
  login: {
    own: { about: 'the address with which you sign in', counted: undefined, of: ofParticipant },
    columns: { participant_id: ['shown', 'row'], email: 'shown', from_desk: 'shown' },
  },
  code: {
    own: {
      about: 'codes that were sent to you, without the digits, which are not stored',
      counted: undefined,
      of: ofParticipant,
    },
    columns: {
      id: 'shown',
      purpose: 'shown',
      email: 'shown',
      created_at: 'shown',
      wrong_tries: 'shown',
      redeemed_at: 'shown',
      // Those that were asked for by nobody's address are found by the address: see `removeParticipants`.
      participant_id: ['withheld', 'row'],
      browser_sha256: 'withheld',
      code_hmac: 'withheld',
    },
  },
  revision_record: {
    own: {
      about: 'your profile before and after each import that changed it, or its undo',
      counted: undefined,
      of: (participant) => sql`kind = 'participant' and record_id = ${participant}`,
    },
    columns: {
      id: 'shown',
      revision_id: 'shown',
      before: 'shown',
      after: 'shown',
      kind: 'withheld',
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
      id: 'shown',
      at: 'shown',
      kind: 'shown',
      record_id: ['shown', 'stays'],
      parent_id: 'shown',
      actor_id: ['withheld', 'stays'],
      request_id: 'withheld',
      credential_id: 'withheld',
      hash: 'withheld',
    },
  },
  conference: {
    own: undefined,
    columns: {
      id: 'withheld',
      title: 'withheld',
      acronym: 'withheld',
      url: 'withheld',
      time_zone: 'withheld',
      first_day: 'withheld',
      last_day: 'withheld',
      slot_minutes: 'withheld',
      hue: 'withheld',
      logo: 'withheld',
      created_at: 'withheld',
      modified_at: 'withheld',
    },
  },
  room: {
    own: undefined,
    columns: {
      id: 'withheld',
      source: 'withheld',
      source_key: 'withheld',
      guid: 'withheld',
      name: 'withheld',
      building: 'withheld',
      address: 'withheld',
      capacity: 'withheld',
      description: 'withheld',
      sort: 'withheld',
      created_at: 'withheld',
      modified_at: 'withheld',
    },
  },
  track: {
    own: undefined,
    columns: {
      id: 'withheld',
      name: 'withheld',
      color: 'withheld',
      sort: 'withheld',
      created_at: 'withheld',
      modified_at: 'withheld',
    },
  },
  // Speakers are no participants; who is both has a row in each table.
  speaker: {
    own: undefined,
    columns: {
      id: 'withheld',
      source: 'withheld',
      source_key: 'withheld',
      guid: 'withheld',
      name: 'withheld',
      position: 'withheld',
      company: 'withheld',
      biography: 'withheld',
      photo: 'withheld',
      links: 'withheld',
      created_at: 'withheld',
      modified_at: 'withheld',
    },
  },
  event_speaker: {
    own: undefined,
    columns: {
      id: 'withheld',
      event_id: 'withheld',
      speaker_id: 'withheld',
      sort: 'withheld',
    },
  },
  event: {
    own: undefined,
    columns: {
      id: 'withheld',
      source: 'withheld',
      source_key: 'withheld',
      title: 'withheld',
      banner: 'withheld',
      photo: 'withheld',
      date_from: 'withheld',
      date_to: 'withheld',
      program_date: 'withheld',
      program_time: 'withheld',
      location_name: 'withheld',
      location_address: 'withheld',
      venue: 'withheld',
      speaker: 'withheld',
      position: 'withheld',
      company: 'withheld',
      description: 'withheld',
      details: 'withheld',
      guid: 'withheld',
      room_id: 'withheld',
      track_id: 'withheld',
      subtitle: 'withheld',
      type: 'withheld',
      language: 'withheld',
      tags: 'withheld',
      links: 'withheld',
      code: 'withheld',
      slug: 'withheld',
      license: 'withheld',
      do_not_record: 'withheld',
      draft: 'withheld',
      sequence: 'withheld',
      is_cancelled: 'withheld',
      is_posted: 'withheld',
      posted_at: 'withheld',
      posted_by: ['withheld', 'cleared'],
      created_at: 'withheld',
      modified_at: 'withheld',
      is_deleted: 'withheld',
      deleted_at: 'withheld',
      created_by: ['withheld', 'cleared'],
      modified_by: ['withheld', 'cleared'],
      deleted_by: ['withheld', 'cleared'],
    },
  },
  activity: {
    own: undefined,
    columns: { id: 'withheld', event_id: 'withheld', date: 'withheld', time: 'withheld', title: 'withheld' },
  },
  topic_block: { own: undefined, columns: { block: 'withheld', kept: 'withheld' } },
  idempotency: {
    // Copies of responses, for retries: they may show what the participant could see only in a role of that time.
    own: undefined,
    columns: {
      key: 'withheld',
      fingerprint: 'withheld',
      response_code: 'withheld',
      data: 'withheld',
      created_at: 'withheld',
      participant_id: ['withheld', 'step'],
    },
  },
  mention: { own: undefined, columns: { id: 'withheld', key: 'withheld', participant_id: ['withheld', 'step'] } },
  erasure_step: {
    own: undefined,
    columns: {
      id: 'withheld',
      kind: 'withheld',
      blob_key: 'withheld',
      created_at: 'withheld',
      participant_id: ['withheld', 'step'],
    },
  },
  revision: {
    own: undefined,
    columns: {
      id: 'withheld',
      at: 'withheld',
      kind: 'withheld',
      command: 'withheld',
      file: 'withheld',
      note: 'withheld',
      notes: 'withheld',
      undoes: 'withheld',
      organizer_id: 'withheld',
      undone_at: 'withheld',
    },
  },
  // Organizers are not participants; somebody who is both has a row in each table.
  organizer: {
    own: undefined,
    columns: { id: 'withheld', email: 'withheld', roles: 'withheld', created_at: 'withheld', removed_at: 'withheld' },
  },
  organizer_identity: {
    own: undefined,
    columns: {
      organizer_id: 'withheld',
      issuer: 'withheld',
      subject: 'withheld',
      name: 'withheld',
      connected_at: 'withheld',
    },
  },
  passkey: {
    own: undefined,
    columns: {
      id: 'withheld',
      webauthn_id: 'withheld',
      public_key: 'withheld',
      counter: 'withheld',
      transports: 'withheld',
      organizer_id: 'withheld',
      label: 'withheld',
      created_at: 'withheld',
      used_at: 'withheld',
    },
  },
  passkey_challenge: {
    own: undefined,
    columns: { secret_sha256: 'withheld', organizer_id: 'withheld', expires_at: 'withheld' },
  },
  attempt_count: { own: undefined, columns: { key_hmac: 'withheld', attempts: 'withheld', ends_at: 'withheld' } },
  secret: { own: undefined, columns: { name: 'withheld', value: 'withheld' } },
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
