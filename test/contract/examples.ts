import { hash } from 'node:crypto'
import type { TObject } from 'typebox'
import { type Access, type AccessMode, isSpecified, type ReadAccess } from '../../src/contract/access.ts'
import type { FailureReason } from '../../src/contract/failures.ts'
import {
  type OperationName,
  type Operations,
  operations,
  operationsIn,
  type SpecifiedOperationName,
  type SpecifiedWriteName,
} from '../../src/contract/index.ts'
import type { Operation, RecordKind } from '../../src/contract/operation.ts'
import { inOwnName } from '../access/at-personal-url.ts'

// What the tests need to know about each operation, besides the contract.

export type Members = Record<string, unknown>

export interface Example {
  params?: Record<string, string | number>
  body?: Members
}

interface Decided {
  /** Who may use it, decided here a second time: the matrix expects what the contract says. */
  access: Access
}

/** A valid request, for the records that `startExampleApp` creates. */
export interface SpecifiedExample<R extends FailureReason = FailureReason> extends Example, Decided {
  /** A body that everyone may send; by default the members that are required. */
  minimalBody?: Members
  /** Requests that cause its own failures, other than those that follow from the contract (`provocations.ts`). */
  fails?: Partial<Record<R, Example>>
}

interface ReadExample<R extends FailureReason> extends SpecifiedExample<R> {
  access: ReadAccess
  /** The queries of a read of several records, regardless of how many they are. */
  queries: number
}

/** A request that everyone whom the access authorizes may send, where people sign in. */
export interface AdditionalExample<R extends FailureReason = FailureReason> extends Example, Decided {
  /** Success, or the reason of a failure. */
  outcome: typeof success | FailureReason
  /** The outcome for organizers who are not participants, if it is another one. */
  withoutParticipant?: FailureReason
  /** The tests of its other failures. */
  fails?: Partial<Record<R, `${string}.test.ts`>>
}

export const success = 'succeeds'

export type ReadName = {
  [N in OperationName]: Operations[N]['access'] extends ReadAccess ? N : never
}[OperationName]

type OwnFailure<N extends OperationName> = Operations[N]['fails'][number]

type ExampleOf<N extends OperationName> = N extends ReadName
  ? ReadExample<OwnFailure<N>>
  : N extends SpecifiedOperationName
    ? SpecifiedExample<OwnFailure<N>>
    : AdditionalExample<OwnFailure<N>>

export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
export const pixelHash = hash('sha256', Buffer.from(pixel, 'base64'))

const uploaded_files = [
  'https://cdn.summit.example/slides.pdf',
  { link: 'https://cdn.summit.example/plan', fileType: 'image/svg+xml' },
  `data:image/png;base64,${pixel}`,
  { name: 'notes.txt', fileType: 'text/plain', data: Buffer.from('Grüße').toString('base64') },
]
const page = { offset: 0, limit: 10 }

/** The outcome for everyone but organizers who are not participants. */
const ofParticipants = { access: { own: 'participants' }, withoutParticipant: 'PARTICIPANT_NOT_FOUND' } as const

const revisionsTest = 'src/server/domains/editing/revisions.test.ts'
const roomsTest = 'src/server/domains/editing/rooms-and-tracks.test.ts'
const picturesTest = 'src/server/domains/editing/pictures.test.ts'
const importTest = 'src/server/domains/import/by-request/import-program.test.ts'
const imagesTest = 'src/server/domains/import/by-request/import-images.test.ts'
const editingTest = 'src/server/domains/editing/events.test.ts'

const declared: { [N in OperationName]: ExampleOf<N> } = {
  listTopics: { access: { readers: 'anyone' }, params: page, queries: 6 },
  createTopic: {
    access: { role: 'moderator', actor: ['created_by'] },
    body: { name: 'Lunch 🍲 is served', body: 'Main\nhall & "more"', created_by: 1, uploaded_files },
  },
  getTopic: { access: { readers: 'anyone' }, params: { topic_id: 1 }, queries: 5 },
  updateTopic: {
    access: { role: 'moderator', actor: ['updated_by'], changesOwn: true },
    params: { topic_id: 1 },
    body: { name: 'Lunch is late', body: '', created_by: 7, updated_by: 2, uploaded_files },
  },
  deleteTopic: { access: { role: 'moderator', changesOwn: true }, params: { topic_id: 1 } },
  likeTopic: {
    access: { role: 'moderator', actor: ['created_by'] },
    params: { topic_id: 1 },
    body: { created_by: 2 },
  },
  unlikeTopic: {
    access: { role: 'moderator', actor: ['participant_id'] },
    params: { topic_id: 1, participant_id: 1 },
    fails: { LIKE_NOT_FOUND: { params: { participant_id: 404 } } },
  },
  listComments: { access: { readers: 'anyone' }, params: { topic_id: 1, ...page }, queries: 3 },
  createComment: {
    access: { role: 'moderator', actor: ['created_by'] },
    params: { topic_id: 1 },
    body: { comment: '+1 = 100%', created_by: 404, uploaded_files },
  },
  getComment: { access: { readers: 'anyone' }, params: { comment_id: 1 }, queries: 2 },
  updateComment: {
    access: { role: 'moderator', actor: ['updated_by'], changesOwn: true },
    params: { comment_id: 1 },
    body: { comment: 'Nächstes Mal', created_by: 7, updated_by: 2, uploaded_files },
  },
  deleteComment: { access: { role: 'moderator', changesOwn: true }, params: { comment_id: 1 } },
  readFeed: { access: { readers: 'anyone' }, params: page, queries: 5 },
  readThread: { access: { readers: 'anyone' }, params: { topic_id: 1, ...page }, queries: 6 },
  readFile: { access: { readers: 'anyone' }, params: { file_id: 1, file_name: 'pixel.png' }, queries: 1 },
  deleteFile: { access: { role: 'moderator', changesOwn: true }, params: { file_Id: 1 } },
  listEvents: { access: { readers: 'anyone' }, params: page, queries: 2 },
  getEvent: { access: { readers: 'anyone' }, params: { id: 1 }, queries: 1 },
  readBanner: { access: { readers: 'anyone' }, params: { id: 1 }, queries: 1 },
  readPhoto: { access: { readers: 'anyone' }, params: { id: 1 }, queries: 2 },
  getSchedule: { access: { readers: 'anyone' }, queries: 7 },
  getScheduleEvent: { access: { readers: 'anyone' }, params: { id: 1 }, queries: 7 },
  searchProgram: { access: { readers: 'anyone' }, params: { q: 'lunch is' }, queries: 7 },
  listReleases: { access: { readers: 'anyone' }, params: page, queries: 4 },
  readLogo: {
    access: { readers: 'anyone' },
    params: { file_name: `logo-${pixelHash}.png` },
    queries: 1,
    fails: { FILE_NOT_FOUND: { params: { file_name: 'logo.png' } } },
  },
  readSpeakerPhoto: { access: { readers: 'anyone' }, params: { id: 1 }, queries: 1 },
  exportProgram: {
    access: { readers: 'anyone' },
    params: { file: 'schedule.xml' },
    queries: 16,
    fails: {
      FILE_NOT_FOUND: { params: { file: 'schedule.doc' } },
      ROOM_NOT_FOUND: { params: { file: 'schedule.ics', room: 404 } },
      TRACK_NOT_FOUND: { params: { file: 'schedule.ics', track: 404 } },
      SPEAKER_NOT_FOUND: { params: { file: 'schedule.ics', speaker: 404 } },
    },
  },
  listFeedback: { access: { readers: 'authors' }, params: page, queries: 1 },
  listFeedbackOfParticipant: { access: { readers: 'authors' }, params: { ...page, participant_id: 1 }, queries: 1 },
  addFeedback: {
    access: { role: 'moderator', actor: ['participant_id', 'created_by'] },
    body: {
      ...{ created_by: 1, participant_id: 2, program_id: 99, comments: 'Loved it.\r\nAll of it.' },
      ...{ quality: '5', rating: 'four', relevance: '', expectation: '★' },
    },
  },
  listParticipants: { access: { readers: 'participants' }, params: page, queries: 1 },
  readParticipant: { access: { readers: 'participants' }, params: { participantId: 1 }, queries: 1 },
  searchParticipants: { access: { readers: 'participants' }, params: { ...page, q: 'aNa' }, queries: 1 },
  readParticipantPhoto: {
    access: { readers: 'anyone' },
    params: { participantId: 2, file_name: `${pixelHash}.png` },
    fails: { FILE_NOT_FOUND: { params: { participantId: 404 } } },
    queries: 1,
  },
  updateParticipant: {
    access: { role: 'editor', changesOwn: true },
    params: { participantId: 1 },
    body: {
      ...{ employee_no: 'E7', designation: '', email: 'ana@summit.example', first_name: 'Ána', last_name: 'Cruz' },
      ...{ photo: 'photos/ana 1.jpg', mobile_no: '+63 917', gender: 'F' },
    },
    minimalBody: { designation: 'Changed' },
  },
  getMe: { access: { own: 'anyone', atSecretUrl: true }, outcome: success },
  updateMe: { ...ofParticipants, body: { gender: 'F' }, outcome: success },
  exportOwnData: { ...ofParticipants, outcome: success },
  planErasure: { ...ofParticipants, outcome: success },
  eraseOwnData: {
    ...ofParticipants,
    body: { participant_id: 404 },
    outcome: 'VALIDATION_FAILED',
    fails: {
      SESSION_TOO_NEW: 'test/access/authority.long.test.ts',
      SESSION_FROM_DESK: 'test/access/authority.test.ts',
    },
  },
  updateSharing: { ...ofParticipants, body: { email: false }, outcome: success },
  listStars: { ...ofParticipants, outcome: success },
  updateStars: { ...ofParticipants, body: { add: [1, 404], remove: [2] }, outcome: success },
  readOwnCalendar: { ...ofParticipants, access: { own: 'participants', atSecretUrl: true }, outcome: success },
  signOut: { access: { signIn: 'anyone' }, outcome: success },
  disconnectIdentity: { access: { own: 'anyone' }, outcome: success },
  listCredentials: { access: { own: 'anyone' }, outcome: success },
  revokeCredential: { access: { own: 'anyone' }, params: { credential_id: 404 }, outcome: 'CREDENTIAL_NOT_FOUND' },
  startPasskeyRegistration: { access: { own: 'anyone', session: 'organizer' }, outcome: success },
  registerPasskey: {
    access: { own: 'anyone', session: 'organizer' },
    body: { label: 'Laptop', id: 'unknown', client_data: '', attestation: '' },
    outcome: 'PASSKEY_INVALID',
  },
  removePasskey: {
    access: { own: 'anyone', session: 'organizer' },
    params: { passkey_id: 404 },
    outcome: 'PASSKEY_NOT_FOUND',
  },
  startPasskeySignIn: { access: { signIn: 'anyone' }, outcome: success },
  signInWithPasskey: {
    access: { signIn: 'anyone' },
    body: { id: 'unknown', client_data: '', authenticator_data: '', signature: '', user_handle: '' },
    outcome: 'PASSKEY_INVALID',
  },
  redeemInvitation: {
    access: { signIn: 'anyone' },
    body: { token: 'unknown' },
    outcome: 'INVITATION_INVALID',
    fails: { SUMMIT_ENDED: 'test/access/sessions.long.test.ts' },
  },
  requestSignInCode: {
    access: { signIn: 'participants' },
    body: { email: 'ana@summit.example' },
    outcome: 'NO_MAIL',
    fails: { SUMMIT_ENDED: 'test/access/codes.long.test.ts', TOO_MANY_ATTEMPTS: 'test/access/codes.test.ts' },
  },
  redeemSignInCode: {
    access: { signIn: 'participants' },
    body: { code: '00000000' },
    outcome: 'CODE_INVALID',
    fails: { SUMMIT_ENDED: 'test/access/codes.long.test.ts' },
  },
  requestLoginEmailChange: {
    access: { own: 'participants' },
    body: { email: 'eva@login.example' },
    outcome: 'NO_MAIL',
    fails: { NO_LOGIN_EMAIL: 'test/access/login-emails.test.ts', TOO_MANY_ATTEMPTS: 'test/access/code-floods.test.ts' },
  },
  changeLoginEmail: {
    access: { own: 'participants' },
    body: { old_code: '00000000', new_code: '00000000' },
    outcome: 'CODE_INVALID',
    fails: { LOGIN_EMAIL_TAKEN: 'test/access/login-emails.test.ts' },
  },
  setLoginEmail: {
    access: { organizers: 'desk', letsSignIn: 'participants' },
    params: { participantId: 404 },
    body: { email: '' },
    outcome: 'PARTICIPANT_NOT_FOUND',
    fails: { LOGIN_EMAIL_TAKEN: 'test/access/login-emails.test.ts' },
  },
  listOrganizers: { access: { organizers: 'owner' }, outcome: success },
  inviteOrganizer: {
    access: { organizers: 'owner' },
    body: { email: 'nobody', roles: 'owner' },
    outcome: 'VALIDATION_FAILED',
    fails: { LAST_OWNER: 'test/access/last-owner.test.ts' },
  },
  changeOrganizerRoles: {
    access: { organizers: 'owner' },
    params: { organizer_id: 404 },
    body: { roles: 'owner' },
    outcome: 'ORGANIZER_NOT_FOUND',
    fails: { LAST_OWNER: 'test/access/last-owner.test.ts' },
  },
  removeOrganizer: {
    access: { organizers: 'owner' },
    params: { organizer_id: 404 },
    outcome: 'ORGANIZER_NOT_FOUND',
    fails: { LAST_OWNER: 'test/access/last-owner.test.ts' },
  },
  inviteParticipant: {
    access: { organizers: 'desk', letsSignIn: 'participants' },
    params: { participantId: 404 },
    outcome: 'PARTICIPANT_NOT_FOUND',
    fails: { SUMMIT_ENDED: 'test/access/sessions.long.test.ts' },
  },
  readOverview: { access: { organizers: 'any' }, outcome: success },
  listChanges: { access: { organizers: 'owner' }, params: page, outcome: success },
  getDraft: { access: { organizers: 'editor' }, outcome: success },
  getDraftEvent: { access: { organizers: 'editor' }, params: { id: 404 }, outcome: 'EVENT_NOT_FOUND' },
  getDraftSpeaker: { access: { organizers: 'editor' }, params: { id: 404 }, outcome: 'SPEAKER_NOT_FOUND' },
  createEvent: {
    access: { organizers: 'editor' },
    body: { title: 'Small boats', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00', tags: ['ropes'] },
    outcome: success,
    fails: { ROOM_NOT_FOUND: editingTest, TRACK_NOT_FOUND: editingTest, SPEAKER_NOT_FOUND: editingTest },
  },
  updateEvent: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    body: { revision: 0, title: 'Large boats' },
    outcome: 'EVENT_NOT_FOUND',
    fails: {
      ROOM_NOT_FOUND: editingTest,
      TRACK_NOT_FOUND: editingTest,
      SPEAKER_NOT_FOUND: editingTest,
      EVENT_CHANGED: editingTest,
    },
  },
  deleteEvent: {
    access: { organizers: 'editor' },
    params: { id: 404, revision: 0 },
    outcome: 'EVENT_NOT_FOUND',
    fails: { EVENT_CHANGED: editingTest },
  },
  publish: {
    access: { organizers: 'editor' },
    outcome: success,
    fails: { EVENT_NOT_FOUND: editingTest, EVENT_CHANGED: editingTest },
  },
  // The examples are JSON, which has no file.
  planParticipantsImport: {
    access: { organizers: 'desk', letsSignIn: 'participants' },
    outcome: 'VALIDATION_FAILED',
  },
  applyParticipantsImport: {
    access: { organizers: 'desk', letsSignIn: 'participants' },
    body: { hash: '0' },
    outcome: 'VALIDATION_FAILED',
    fails: { EVENT_CHANGED: 'src/server/domains/import/by-request/import-participants.long.test.ts' },
  },
  planImport: {
    access: { organizers: 'editor' },
    outcome: 'VALIDATION_FAILED',
    fails: { NOT_A_PROGRAM: importTest },
  },
  applyImport: {
    access: { organizers: 'editor' },
    body: { hash: '0' },
    outcome: 'VALIDATION_FAILED',
    fails: { NOT_A_PROGRAM: importTest, EVENT_CHANGED: importTest },
  },
  planImagesImport: {
    access: { organizers: 'editor' },
    body: { names: ['Ana Cruz.jpg', '1.banner.png'], source: 'program' },
    outcome: success,
  },
  applyImagesImport: {
    access: { organizers: 'editor' },
    body: { uploaded_files: [{ name: 'Nobody.png', fileType: 'image/png', data: pixel }] },
    outcome: success,
    fails: {
      TOO_MANY_FILES: imagesTest,
      EVENT_CHANGED: 'src/server/domains/import/by-request/import-images.long.test.ts',
    },
  },
  planPublication: { access: { organizers: 'editor' }, outcome: success },
  discardDraft: {
    access: { organizers: 'editor' },
    outcome: success,
    fails: { EVENT_NOT_FOUND: editingTest, EVENT_CHANGED: editingTest },
  },
  listRevisions: { access: { organizers: 'editor' }, params: page, outcome: success },
  planUndo: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    outcome: 'REVISION_NOT_FOUND',
    fails: { FORBIDDEN: revisionsTest },
  },
  undoRevision: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    outcome: 'REVISION_NOT_FOUND',
    fails: { UNDO_BLOCKED: revisionsTest },
  },
  updateConference: {
    access: { organizers: 'editor' },
    body: { revision: 404, title: 'Summit' },
    outcome: 'EVENT_CHANGED',
  },
  setLogo: { access: { organizers: 'editor' }, body: { revision: 404, photo: '' }, outcome: 'EVENT_CHANGED' },
  setRooms: {
    access: { organizers: 'editor' },
    body: { revision: 404, rooms: [{ name: 'Hall 1', capacity: 300 }] },
    outcome: 'EVENT_CHANGED',
    fails: { ROOM_NOT_FOUND: roomsTest, IN_USE: roomsTest },
  },
  setTracks: {
    access: { organizers: 'editor' },
    body: { revision: 404, tracks: [{ name: 'Hardware', color: '#0b57d0' }] },
    outcome: 'EVENT_CHANGED',
    fails: { TRACK_NOT_FOUND: roomsTest, IN_USE: roomsTest },
  },
  createSpeaker: {
    access: { organizers: 'editor' },
    body: { name: 'Ana Cruz', links: [{ title: 'Blog', url: 'https://summit.example/ana' }] },
    outcome: success,
  },
  updateSpeaker: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    body: { revision: 0, name: 'Ana' },
    outcome: 'SPEAKER_NOT_FOUND',
    fails: { EVENT_CHANGED: 'src/server/domains/editing/speakers.test.ts' },
  },
  deleteSpeaker: {
    access: { organizers: 'editor' },
    params: { id: 404, revision: 0 },
    outcome: 'SPEAKER_NOT_FOUND',
    fails: { EVENT_CHANGED: 'src/server/domains/editing/speakers.test.ts' },
  },
  setSpeakerPhoto: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    body: { revision: 0, photo: '' },
    outcome: 'SPEAKER_NOT_FOUND',
    fails: { EVENT_CHANGED: picturesTest },
  },
  readDraftBanner: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    outcome: 'EVENT_NOT_FOUND',
    fails: { FILE_NOT_FOUND: 'src/server/domains/editing/pictures.long.test.ts' },
  },
  readDraftSpeakerPhoto: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    outcome: 'SPEAKER_NOT_FOUND',
    fails: { FILE_NOT_FOUND: 'src/server/domains/editing/pictures.long.test.ts' },
  },
  setBanner: {
    access: { organizers: 'editor' },
    params: { id: 404 },
    body: { revision: 0, photo: '' },
    outcome: 'EVENT_NOT_FOUND',
    fails: { EVENT_CHANGED: picturesTest },
  },
}

/** An example of each operation, in the name of the sender. */
export const examples = Object.fromEntries(
  Object.entries(declared).map(([name, { params, body, ...rest }]) => [
    name,
    {
      ...rest,
      ...(params && { params: inOwnName(name as OperationName, params) }),
      ...(body && { body: inOwnName(name as OperationName, body) }),
    },
  ]),
) as typeof declared

/** The operations of the interface specification, and further reads for everyone, which exist in every mode. */
export const names = operationsIn('open').flatMap(([name, { access }]) =>
  isSpecified(access) ? [name as SpecifiedOperationName] : [],
)
export const operationOf = (name: OperationName): Operation => operations[name]
export const reads = names.filter((name): name is ReadName => operationOf(name).method === 'GET')
export const writes = names.filter((name): name is SpecifiedWriteName => operationOf(name).method !== 'GET')
export const withBody = names.filter((name) => operationOf(name).body)

/** The other operations that exist in a mode. */
export const additionalNamesIn = (mode: AccessMode) =>
  operationsIn(mode).flatMap(([name, { access }]) =>
    isSpecified(access) ? [] : [name as Exclude<OperationName, SpecifiedOperationName>],
  )

/** In an order in which each record still exists: comments and files before their topic. */
export const deletes: SpecifiedOperationName[] = writes
  .filter((name) => operationOf(name).method === 'DELETE')
  .reverse()

/** The schema of each member. */
export const schemasOf = (schema: TObject | undefined): Record<string, Members> =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, member]) => [name, { ...member }]))

/** The kind of record whose id a parameter or member is. */
export const kindOf = (schema: Members | undefined) => schema?.['x-record'] as RecordKind | undefined
