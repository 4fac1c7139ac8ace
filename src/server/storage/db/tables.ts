import type { Generated, Insertable, Kysely, Selectable } from 'kysely'
import type {
  CommentId,
  EventId,
  FileId,
  OrganizerId,
  ParticipantId,
  PasskeyId,
  RoomId,
  SpeakerId,
  TopicId,
  TrackId,
} from '../../core/ids.ts'

/**
 * The types of the tables. Columns are text, integer or bigint only, the subset that every engine stores alike.
 * Moments are milliseconds since 1970 (0 means unset); wall-clock times and dates are text as printed.
 */

/** Who created, changed and deleted a record, and when; participant ids, 0 if unknown. */
interface Audit {
  created_at: number
  created_by: Generated<ParticipantId>
  modified_at: Generated<number>
  modified_by: Generated<ParticipantId>
  is_deleted: Generated<number>
  deleted_at: Generated<number>
  deleted_by: Generated<ParticipantId>
}

interface ParticipantTable extends Audit {
  id: Generated<ParticipantId>
  employee_no: Generated<string>
  designation: Generated<string>
  email: Generated<string>
  first_name: Generated<string>
  last_name: Generated<string>
  photo: Generated<string>
  mobile_no: Generated<string>
  gender: Generated<string>
  google_id: Generated<string>
}

interface TopicTable extends Audit {
  id: Generated<TopicId>
  header: string
  body: Generated<string>
}

interface CommentTable extends Audit {
  id: Generated<CommentId>
  topic_id: TopicId
  comment: string
}

interface TopicLikeTable extends Audit {
  id: Generated<number>
  topic_id: TopicId
  participant_id: ParticipantId
}

/** A file of a topic or of a comment: either a `link` as received, or bytes under `blob_key`. */
interface FileTable extends Audit {
  id: Generated<FileId>
  topic_id: TopicId | null
  comment_id: CommentId | null
  link: Generated<string>
  blob_key: Generated<string>
  name: Generated<string>
  file_type: string
  size: Generated<number>
  sha256: Generated<string>
}

/** When a record of organizers was created and changed. Who did it is in the change log: organizers are not participants. */
interface Dated {
  created_at: number
  modified_at: Generated<number>
}

/** The conference as a whole: at most one row, with the id 1. `time_zone` is '' for that of the settings. */
interface ConferenceTable extends Dated {
  id: Generated<number>
  title: Generated<string>
  acronym: Generated<string>
  url: Generated<string>
  time_zone: Generated<string>
  first_day: Generated<string>
  last_day: Generated<string>
  slot_minutes: Generated<number>
  /** The degrees of the accent colour, 0 to 359; null for that of Summit. */
  hue: number | null
  /** The key of the stored logo, or ''. */
  logo: Generated<string>
}

/** Where a record comes from: the program that it was imported with, and its identity there; `''` if it was not imported. */
interface Imported {
  source: Generated<string>
  source_key: Generated<string>
}

/**
 * A room. Where `building` is null, the room is all that is said of a place; where it is not, events are in the building,
 * and the room is their venue. `capacity` is 0 if it is unknown. Rooms are listed by `sort`, then by id.
 */
interface RoomTable extends Dated, Imported {
  id: Generated<RoomId>
  guid: Generated<string>
  name: string
  building: string | null
  address: Generated<string>
  capacity: Generated<number>
  description: Generated<string>
  sort: Generated<number>
}

/** A track of the program. `color` is `#rrggbb`, or '' for none. */
interface TrackTable extends Dated {
  id: Generated<TrackId>
  name: string
  color: Generated<string>
  sort: Generated<number>
}

/**
 * A person, or several who were entered as one. `biography` is a sanitized HTML fragment, `photo` an http(s) URL
 * elsewhere or the key of a stored photo, and `links` the JSON of `{ title, url }[]`.
 */
interface SpeakerTable extends Dated, Imported {
  id: Generated<SpeakerId>
  guid: Generated<string>
  name: string
  position: Generated<string>
  company: Generated<string>
  biography: Generated<string>
  photo: Generated<string>
  links: Generated<string>
}

/** The speakers of an event, in the order of `sort`. */
interface EventSpeakerTable {
  id: Generated<number>
  event_id: EventId
  speaker_id: SpeakerId
  sort: number
}

/**
 * A session of the program. `speaker`, `position` and `company` show its speakers, and `location_name`,
 * `location_address` and `venue` its room (`projection.ts`). `guid` is a UUID, for calendars. `subtitle` is plain text;
 * of events that were stored before it had a column, the description begins with it. `tags` and `links` are the JSON of
 * `string[]` and `{ rel, title, url }[]`.
 *
 * An event that is not published is stored with `is_deleted`, like one that was: whatever reads for the public sees
 * neither. Editors see those whose `deleted_at` is 0. `draft` is the JSON of what editors have changed in a published event
 * since (`drafts.ts`), or ''. `sequence` rises with each change of what is published, so that calendars take it over.
 */
interface EventTable extends Audit, Imported {
  id: Generated<EventId>
  title: string
  banner: Generated<string>
  photo: Generated<string>
  date_from: string | null
  date_to: string | null
  program_date: Generated<string>
  program_time: Generated<string>
  location_name: Generated<string>
  location_address: Generated<string>
  venue: Generated<string>
  speaker: Generated<string>
  position: Generated<string>
  company: Generated<string>
  description: Generated<string>
  details: Generated<string>
  guid: Generated<string>
  room_id: RoomId | null
  track_id: TrackId | null
  subtitle: Generated<string>
  type: Generated<string>
  language: Generated<string>
  tags: Generated<string>
  links: Generated<string>
  code: Generated<string>
  slug: Generated<string>
  license: Generated<string>
  do_not_record: Generated<number>
  draft: Generated<string>
  sequence: Generated<number>
  is_cancelled: Generated<number>
  is_posted: Generated<number>
  posted_at: Generated<number>
  posted_by: Generated<ParticipantId>
}

interface ActivityTable {
  id: Generated<number>
  event_id: EventId
  /** The conference day; for an activity after midnight, the day before. */
  date: string
  time: string
  title: string
}

interface FeedbackTable extends Audit {
  id: Generated<number>
  participant_id: ParticipantId
  program_id: Generated<EventId>
  quality: Generated<string>
  rating: Generated<string>
  relevance: Generated<string>
  expectation: Generated<string>
  comments: string | null
}

/** An event that a participant has starred, which nobody else may know. It is deleted with the event. */
interface StarTable {
  id: Generated<number>
  participant_id: ParticipantId
  event_id: EventId
  created_at: number
}

/**
 * The log of every write; `id` is its position. `parent_id` is the topic of a comment, like or file; `actor_id` the
 * participant in whose name it was, `credential_id` that of the sender, 0 for none. For `hash` see `hashOfChange`.
 */
interface ChangeTable {
  id: Generated<number>
  at: number
  kind: string
  record_id: number
  parent_id: Generated<number>
  actor_id: Generated<ParticipantId>
  request_id: Generated<string>
  credential_id: Generated<number>
  hash: Generated<string>
}

/** `kept` is the number of topics that are not deleted, among those whose id divided by 4,096 is `block`. */
interface TopicBlockTable {
  block: number
  kept: number
}

/** A response that is stored for retries. `participant_id` is its holder, 0 for none or another kind of holder. */
interface IdempotencyTable {
  key: string
  fingerprint: string
  response_code: number
  data: string
  created_at: number
  participant_id: Generated<ParticipantId>
}

/** A participant whom the stored response with this `key` shows, besides its holder. It is deleted with the response. */
interface MentionTable {
  id: Generated<number>
  key: string
  participant_id: ParticipantId
}

/**
 * A step that is left of an erasure, or of the change of a photo, which has been committed. `blob_key` is '' except for
 * the step `file`. The row is deleted once the step is done.
 */
interface ErasureStepTable {
  id: Generated<number>
  kind: ErasureStepKind
  participant_id: ParticipantId
  blob_key: Generated<string>
  created_at: number
}

/** Deletes stored responses, all photos of the participant, or one file; or rebuilds the file of the database. */
export type ErasureStepKind = 'responses' | 'photos' | 'file' | 'rebuild'

/**
 * A change to the program or to participants that can be undone: an import, an edit, a publication, or the undo of another
 * revision, which `undoes` names. `command` is the command or operation, `file` that of an import. `note` is what the
 * organizer says about it, and `notes` the JSON of what changed for attendees (`release-notes.ts`). `undone_at` is 0 unless
 * it has been undone. `organizer_id` is 0 for the operator, and for a key.
 */
interface RevisionTable {
  id: Generated<number>
  at: number
  kind: string
  command: string
  file: string
  note: Generated<string>
  notes: Generated<string>
  undoes: Generated<number>
  organizer_id: Generated<OrganizerId>
  undone_at: Generated<number>
}

/** A record that a revision changed, as JSON before (`''` if it did not exist) and after (`''` if it was removed). */
interface RevisionRecordTable {
  id: Generated<number>
  revision_id: number
  kind: string
  record_id: number
  before: string
  after: string
}

/**
 * A person who runs the summit. `email` is in lower case; once they are removed, it is no longer an address. `roles`
 * are joined by commas.
 */
interface OrganizerTable {
  id: Generated<OrganizerId>
  email: string
  roles: string
  created_at: number
  removed_at: Generated<number>
}

/**
 * The account with which an organizer signs in, at most one. `subject` identifies it at the `issuer`, an identity provider
 * (OpenID Connect Core 1.0, 5.7); `name` is what the issuer called it when it was connected, '' if nothing.
 */
interface OrganizerIdentityTable {
  organizer_id: OrganizerId
  issuer: string
  subject: string
  name: Generated<string>
  connected_at: number
}

/**
 * A secret of a participant or organizer: only its hash is stored. `roles` are joined by commas, and those of the
 * organizer if there is one; some credentials without roles have a scope in their place (`credential-store.ts`).
 * `expires_at` and `revoked_at` are 0 if it does not end. An invitation that was used is revoked. `passkey_id` is the
 * passkey with which a session was started, 0 for none. `from_desk` is 1 for an invitation that an organizer other than an
 * owner created, and for sessions that come from it, or from an address that such an organizer set (`LoginTable`): they
 * may be the organizer's own.
 */
interface CredentialTable {
  id: Generated<number>
  kind: string
  secret_sha256: string
  participant_id: Generated<ParticipantId>
  organizer_id: Generated<OrganizerId>
  passkey_id: Generated<PasskeyId>
  from_desk: Generated<number>
  roles: Generated<string>
  label: string
  created_at: number
  expires_at: Generated<number>
  revoked_at: Generated<number>
  used_at: Generated<number>
}

/**
 * A key pair in an organizer's device or password manager. `webauthn_id` is the id that the device gave it, and
 * `public_key` a COSE key (RFC 9052), both in base64url; `counter` is that of its last use, 0 for those that do not
 * count; `transports` are joined by commas.
 */
interface PasskeyTable {
  id: Generated<PasskeyId>
  webauthn_id: string
  public_key: string
  counter: number
  transports: string
  organizer_id: OrganizerId
  label: string
  created_at: number
  used_at: Generated<number>
}

/**
 * A challenge that has been used, until it expires. `organizer_id` is the organizer whose passkey it registered, 0 for
 * a sign-in.
 */
interface PasskeyChallengeTable {
  secret_sha256: string
  organizer_id: OrganizerId
  expires_at: number
}

/** The choices of a participant for the directory, 1 or 0; without a row, it shows others nothing but their profile. */
interface SharingTable {
  participant_id: ParticipantId
  email: number
  mobile_no: number
  employee_no: number
  /** Whether they are not in the directory at all. */
  is_hidden: number
}

/**
 * The e-mail address with which a participant signs in, in lower case. It is not the one in their profile. `from_desk`
 * is 1 if an organizer other than an owner set it.
 */
interface LoginTable {
  participant_id: ParticipantId
  email: string
  from_desk: Generated<number>
}

/**
 * A code that was requested. `email` is the address in the request, in lower case, and `participant_id` is 0 if it is
 * nobody's: then no mail was sent. `code_hmac` has the secret of the browser as its key, of which only the hash is
 * stored.
 */
interface CodeTable {
  id: Generated<number>
  purpose: string
  participant_id: ParticipantId
  email: string
  browser_sha256: string
  code_hmac: string
  created_at: number
  wrong_tries: Generated<number>
  redeemed_at: Generated<number>
}

/**
 * How many codes were asked for or entered wrong, by somebody or for an address, in a period that lasts until `ends_at`.
 * The HMAC hides whom and what it counts; its key is the `cookie_key`.
 */
interface AttemptCountTable {
  key_hmac: string
  attempts: number
  ends_at: number
}

/**
 * Values of this database and not of its summit, so that a move does not copy them: secrets that the processes which share
 * it have in common, and marks.
 */
interface SecretTable {
  name: SecretName
  value: string
}

export type SecretName =
  | ('signature_key' | 'cookie_key' | 'media_key' | 'summit_id_key')
  | ('begun' | 'moved_to' | 'unfinished_move' | 'erase_personal_data' | 'seen_clock' | 'newest_backup')

export interface Tables {
  participant: ParticipantTable
  topic: TopicTable
  comment: CommentTable
  topic_like: TopicLikeTable
  file: FileTable
  conference: ConferenceTable
  room: RoomTable
  track: TrackTable
  speaker: SpeakerTable
  event: EventTable
  event_speaker: EventSpeakerTable
  activity: ActivityTable
  star: StarTable
  feedback: FeedbackTable
  change: ChangeTable
  topic_block: TopicBlockTable
  idempotency: IdempotencyTable
  mention: MentionTable
  erasure_step: ErasureStepTable
  revision: RevisionTable
  revision_record: RevisionRecordTable
  organizer: OrganizerTable
  organizer_identity: OrganizerIdentityTable
  credential: CredentialTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  sharing: SharingTable
  login: LoginTable
  code: CodeTable
  attempt_count: AttemptCountTable
  secret: SecretTable
}

/** Every table with its primary key, in an order in which referenced tables come first. */
export const primaryKeys = {
  participant: 'id',
  topic: 'id',
  topic_block: 'block',
  comment: 'id',
  topic_like: 'id',
  file: 'id',
  conference: 'id',
  room: 'id',
  track: 'id',
  speaker: 'id',
  event: 'id',
  event_speaker: 'id',
  activity: 'id',
  star: 'id',
  feedback: 'id',
  change: 'id',
  idempotency: 'key',
  mention: 'id',
  erasure_step: 'id',
  revision: 'id',
  revision_record: 'id',
  organizer: 'id',
  organizer_identity: 'organizer_id',
  credential: 'id',
  passkey: 'id',
  passkey_challenge: 'secret_sha256',
  sharing: 'participant_id',
  login: 'participant_id',
  code: 'id',
  attempt_count: 'key_hmac',
  secret: 'name',
} as const satisfies { [T in keyof Tables]: keyof Tables[T] }

export const tableNames = Object.keys(primaryKeys) as (keyof Tables)[]

/**
 * Tables whose rows refer to blobs: all except the ones listed here. A new table counts as one of them until it is
 * listed, because a blob that no table is known to refer to is removed as an orphan. `erasure_step` names those that are
 * to be removed.
 */
export type TableWithBlobs = Exclude<
  keyof Tables,
  | ('topic' | 'topic_block' | 'comment' | 'topic_like' | 'activity' | 'star' | 'feedback')
  | ('room' | 'track' | 'event_speaker')
  | (
      | 'change'
      | 'idempotency'
      | 'mention'
      | 'erasure_step'
      | 'revision'
      | 'organizer'
      | 'organizer_identity'
      | 'credential'
      | 'sharing'
    )
  | ('passkey' | 'passkey_challenge' | 'login' | 'code' | 'attempt_count' | 'secret')
>

/**
 * Tables of records, which operators export: all except the ones listed here, with logs, counts, stored responses,
 * accounts and secrets. A new table counts as one of them until it is listed.
 */
export type RecordTable = Exclude<
  keyof Tables,
  | ('change' | 'topic_block' | 'idempotency' | 'mention' | 'erasure_step' | 'revision' | 'revision_record' | 'secret')
  | ('organizer' | 'organizer_identity' | 'passkey' | 'passkey_challenge')
  | ('credential' | 'sharing' | 'login' | 'code' | 'attempt_count')
>

/** Runs queries: on the database, or in a transaction. */
export type Db = Kysely<Tables>

export type Row<T extends keyof Tables> = Selectable<Tables[T]>

export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>

/** The newest row of the change log; its hash is '' if it is not sealed. */
export type LogHead = Pick<Row<'change'>, 'id' | 'hash'>

/** The log before its first change: no id is that low. */
export const emptyLog: LogHead = { id: 0, hash: '' }
