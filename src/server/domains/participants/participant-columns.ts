import type { ParticipantId } from '../../core/ids.ts'
import type { Row, Tables } from '../../storage/db/tables.ts'

/** The effect of the erasure of a participant on a column. */
type Effect =
  /** It names no participant, or its row is found by another column. */
  | 'none'
  /** Names a participant. Their rows are deleted. */
  | 'row'
  /** Names a participant. It becomes 0: what others rely on stays, without saying whose it was. */
  | 'cleared'
  /** Names a participant. Their rows are deleted in batches after the commit, by a row of `erasure_step`. */
  | 'step'
  /** Names a participant where `kind` is `participant`. These rows are deleted. */
  | 'row of kind'
  /**
   * Names a participant, and stays: the rows of the change log are chained by their hashes. It is a number without a
   * person from then on.
   */
  | 'stays'

/** Moments and marks. */
const unnamed = { created_at: 'none', modified_at: 'none', is_deleted: 'none', deleted_at: 'none' } as const

/** The participants in the columns that records have in common. */
const actors = { created_by: 'cleared', modified_by: 'cleared', deleted_by: 'cleared' } as const

/** The effect on each column of a row. One with the id of a participant names them. */
type Effects<R> = { readonly [C in keyof R]: R[C] extends ParticipantId ? Exclude<Effect, 'none'> : Effect }

/**
 * The effect of an erasure on each column of the database. Topics, comments and files with their author in `created_by`
 * are deleted before, unless they are to stay. A new column does not compile until it is listed.
 */
const participantColumns: { readonly [T in keyof Tables]: Effects<Row<T>> } = {
  participant: {
    id: 'row',
    employee_no: 'none',
    designation: 'none',
    email: 'none',
    first_name: 'none',
    last_name: 'none',
    photo: 'none',
    mobile_no: 'none',
    gender: 'none',
    google_id: 'none',
    ...unnamed,
    ...actors,
  },
  topic: { id: 'none', header: 'none', body: 'none', ...unnamed, ...actors },
  comment: { id: 'none', topic_id: 'none', comment: 'none', ...unnamed, ...actors },
  topic_like: { id: 'none', topic_id: 'none', participant_id: 'row', ...unnamed, ...actors },
  file: {
    id: 'none',
    topic_id: 'none',
    comment_id: 'none',
    link: 'none',
    blob_key: 'none',
    name: 'none',
    file_type: 'none',
    size: 'none',
    sha256: 'none',
    ...unnamed,
    ...actors,
  },
  event: {
    id: 'none',
    source: 'none',
    source_key: 'none',
    title: 'none',
    banner: 'none',
    photo: 'none',
    date_from: 'none',
    date_to: 'none',
    program_date: 'none',
    program_time: 'none',
    location_name: 'none',
    location_address: 'none',
    venue: 'none',
    speaker: 'none',
    position: 'none',
    company: 'none',
    description: 'none',
    details: 'none',
    is_cancelled: 'none',
    is_posted: 'none',
    posted_at: 'none',
    posted_by: 'cleared',
    ...unnamed,
    ...actors,
  },
  activity: { id: 'none', event_id: 'none', date: 'none', time: 'none', title: 'none' },
  feedback: {
    id: 'none',
    // Feedback that they have entered for another is that of the other.
    participant_id: 'row',
    program_id: 'none',
    quality: 'none',
    rating: 'none',
    relevance: 'none',
    expectation: 'none',
    comments: 'none',
    ...unnamed,
    ...actors,
  },
  change: {
    id: 'none',
    at: 'none',
    kind: 'none',
    record_id: 'stays',
    parent_id: 'none',
    actor_id: 'stays',
    request_id: 'none',
    credential_id: 'none',
    hash: 'none',
  },
  topic_block: { block: 'none', kept: 'none' },
  idempotency: {
    key: 'none',
    fingerprint: 'none',
    response_code: 'none',
    data: 'none',
    created_at: 'none',
    participant_id: 'step',
  },
  mention: { id: 'none', key: 'none', participant_id: 'step' },
  erasure_step: { id: 'none', kind: 'none', participant_id: 'step', blob_key: 'none', created_at: 'none' },
  import_run: { id: 'none', at: 'none', command: 'none', file: 'none', undone_at: 'none' },
  import_record: {
    id: 'none',
    import_id: 'none',
    kind: 'none',
    record_id: 'row of kind',
    before: 'none',
    after: 'none',
  },
  // Organizers are not participants; somebody who is both has a row in each table.
  organizer: { id: 'none', email: 'none', roles: 'none', created_at: 'none', removed_at: 'none' },
  organizer_identity: { organizer_id: 'none', issuer: 'none', subject: 'none', name: 'none', connected_at: 'none' },
  credential: {
    id: 'none',
    kind: 'none',
    secret_sha256: 'none',
    participant_id: 'row',
    organizer_id: 'none',
    passkey_id: 'none',
    from_desk: 'none',
    roles: 'none',
    label: 'none',
    created_at: 'none',
    expires_at: 'none',
    revoked_at: 'none',
    used_at: 'none',
  },
  passkey: {
    id: 'none',
    webauthn_id: 'none',
    public_key: 'none',
    counter: 'none',
    transports: 'none',
    organizer_id: 'none',
    label: 'none',
    created_at: 'none',
    used_at: 'none',
  },
  passkey_challenge: { secret_sha256: 'none', organizer_id: 'none', expires_at: 'none' },
  sharing: { participant_id: 'row', email: 'none', mobile_no: 'none', employee_no: 'none', is_hidden: 'none' },
  login: { participant_id: 'row', email: 'none', from_desk: 'none' },
  code: {
    id: 'none',
    purpose: 'none',
    // Those that were asked for by nobody's address are found by the address: see `removeParticipants`.
    participant_id: 'row',
    email: 'none',
    browser_sha256: 'none',
    code_hmac: 'none',
    created_at: 'none',
    wrong_tries: 'none',
    redeemed_at: 'none',
  },
  attempt_count: { key_hmac: 'none', attempts: 'none', ends_at: 'none' },
  secret: { name: 'none', value: 'none' },
}

/** The columns that name a participant. */
export const namingColumns = Object.entries(participantColumns).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([column, effect]) =>
    effect === 'none' ? [] : [{ table: table as keyof Tables, column, effect: effect as Effect }],
  ),
)
