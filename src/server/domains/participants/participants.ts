import type { FailedField } from '../../../contract/envelope.ts'
import type { Data } from '../../../contract/index.ts'
import type { Participant, ParticipantDetails } from '../../../contract/participants.ts'
import { assertMayChange, mayActForAnyone } from '../../auth/policies.ts'
import { bodyField, Failure } from '../../core/failure.ts'
import type { ParticipantId } from '../../core/ids.ts'
import type { Links } from '../../core/links.ts'
import type { PageParams } from '../../core/paging.ts'
import { seesContacts } from '../../core/principal.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput, StoreBlob } from '../../operation.ts'
import type { PreparationScope, Scope, WriteScope } from '../../scope.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import type { PreparePhoto } from './photo-changes.ts'
import { storedPhotoOf } from './photos.ts'
import { readSharing } from './sharing.ts'
import {
  changeParticipant,
  findParticipantId,
  findSharedParticipant,
  findShownParticipant,
  getParticipant,
  insertParticipant,
  insertPhotoRemoval,
  listParticipantRows,
  type ParticipantValues,
  pageOfParticipants,
  pageOfSharedParticipants,
  type ShownParticipant,
} from './store.ts'

export { countParticipants } from './store.ts'

/** An audience that does not see all contacts gets the ones that are shared, and no hidden participants. */
export const pageOfVisible = ({ db, audience }: Scope, page: PageParams): Promise<ShownParticipant[]> =>
  seesContacts(audience) ? pageOfParticipants(db, page) : pageOfSharedParticipants(db, page)

export async function listParticipants(scope: Scope, page: PageParams): Promise<Data<'listParticipants'>> {
  const rows = await pageOfVisible(scope, page)
  return { participants: rows.map((row) => toParticipant(row, scope.links)) }
}

/** As the list shows them. @throws Failure PARTICIPANT_NOT_FOUND also if they are hidden */
export async function readParticipant(
  { db, audience, links }: Scope,
  id: ParticipantId,
): Promise<Data<'readParticipant'>> {
  const [row] = await (seesContacts(audience) ? findShownParticipant(db, id) : findSharedParticipant(db, id))
  if (!row) throw new Failure('PARTICIPANT_NOT_FOUND')
  return {
    participant: {
      id: String(row.id),
      full_name: row.full_name,
      designation: row.designation,
      employee_no: row.employee_no,
      email: row.email,
      mobile_no: row.mobile_no,
      gender: row.gender,
      photo_url: links.photo(row.photo),
    },
  }
}

const withoutContacts = (participant: ParticipantDetails): ParticipantDetails => ({
  ...participant,
  employee_no: '',
  email: '',
  mobile_no: '',
})

/** Stores the photo, and returns how to change the participant. @throws Failure as `PreparePhoto` does */
export async function prepareUpdate(
  preparation: PreparationScope,
  preparePhoto: PreparePhoto,
  { photoPart, ...values }: HandlerInput<'updateParticipant'>,
  storeBlob: StoreBlob,
): Promise<(scope: WriteScope) => Promise<Data<'updateParticipant'>>> {
  const photo = await preparePhoto(preparation, values.participantId, values.photo, photoPart, storeBlob)
  return (scope) => updateParticipant(scope, { ...values, ...photo })
}

/** The same for the sender. */
export async function prepareUpdateMe(
  preparation: PreparationScope,
  preparePhoto: PreparePhoto,
  { photoPart, ...values }: HandlerInput<'updateMe'>,
  storeBlob: StoreBlob,
): Promise<(scope: WriteScope) => Promise<Data<'updateMe'>>> {
  const photo = await preparePhoto(preparation, preparation.principal.participant, values.photo, photoPart, storeBlob)
  return (scope) => updateMe(scope, { ...values, ...photo })
}

/**
 * Changes only the given members. The e-mail address and employee number are the organizers' to change, because imports
 * recognize participants by them.
 * @throws Failure PARTICIPANT_NOT_FOUND, FORBIDDEN with the fields that a participant must not change
 */
export async function updateParticipant(
  scope: WriteScope,
  { participantId, ...values }: Omit<HandlerInput<'updateParticipant'>, 'photoPart'>,
): Promise<Data<'updateParticipant'>> {
  const stored = await getParticipant(scope.db, participantId)
  await assertMayChange(scope, participantId)
  const changed = mayActForAnyone(scope.principal, scope.role)
    ? values
    : withoutUnseen(withoutReserved(scope.principal.app ? await asListed(scope, stored) : stored, values))
  const profile = await change(scope, stored, changed)
  // A holder of the URL of an app is not this participant.
  return { participant: scope.principal.app ? withoutContacts(profile) : profile }
}

/**
 * Changes only the given members of the sender. They have read their profile whole, so an empty one clears it.
 * @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is none, FORBIDDEN with the fields that a participant must
 * not change
 */
async function updateMe(
  scope: WriteScope,
  values: Omit<HandlerInput<'updateMe'>, 'photoPart'>,
): Promise<Data<'updateMe'>> {
  const stored = await getParticipant(scope.db, scope.principal.participant)
  return { participant: await change(scope, stored, withoutReserved(stored, values)) }
}

async function change(
  scope: WriteScope,
  stored: Row<'participant'>,
  values: Partial<ParticipantValues>,
): Promise<ParticipantDetails> {
  const { id } = stored
  await changeParticipant(scope.db, id, values, scope.now)
  const former = storedPhotoOf(stored)
  if (former && (values.photo ?? stored.photo) !== stored.photo)
    await insertPhotoRemoval(scope.db, id, former.key, scope.now)
  await appendChange(scope, { kind: 'participant.updated', record: id })
  return getProfile(scope, id)
}

/** The whole profile of a participant. @throws Failure PARTICIPANT_NOT_FOUND */
export const getProfile = async (scope: Scope, id: ParticipantId): Promise<ParticipantDetails> =>
  toParticipantDetails(await getParticipant(scope.db, id), scope)

const reserved = ['email', 'employee_no'] as const
type Reserved = Pick<Row<'participant'>, (typeof reserved)[number]>

/** The contacts that the directory shows of a participant to others, such as the holders of an app's URL. */
async function asListed(scope: Scope, { id, email, employee_no }: Row<'participant'>): Promise<Reserved> {
  const sharing = await readSharing(scope, id)
  const shows = (contact: keyof Reserved) => sharing[contact] && !sharing.is_hidden
  return { email: shows('email') ? email : '', employee_no: shows('employee_no') ? employee_no : '' }
}

/**
 * Leaves out what a participant must not change: empty, as the directory may show it, or as it is.
 * @param seen what the sender may see: the outcome must not tell whether they have guessed the rest
 * @throws Failure FORBIDDEN with the fields that would change
 */
function withoutReserved(seen: Reserved, values: Partial<ParticipantValues>): Partial<ParticipantValues> {
  const fields = reserved.filter((name) => (values[name] ?? '') !== '' && values[name] !== seen[name])
  if (fields.length > 0) throw new Failure('FORBIDDEN', { fields: fields.map(reservedField) })
  const { email: _email, employee_no: _employeeNo, ...rest } = values
  return rest
}

/** Leaves out what a client sends empty that has read a whole profile from the directory, which does not show it. */
function withoutUnseen({ mobile_no, ...rest }: Partial<ParticipantValues>): Partial<ParticipantValues> {
  return mobile_no ? { ...rest, mobile_no } : rest
}

const reservedField = (field: string): FailedField =>
  bodyField(field, 'RESERVED', `${field} can only be changed by an organizer.`)

/** Adds a participant; absent values are empty. */
export async function addParticipant(scope: WriteScope, values: Partial<ParticipantValues>): Promise<ParticipantId> {
  const id = await insertParticipant(scope.db, { ...values, created_at: scope.now })
  await appendChange(scope, { kind: 'participant.created', record: id })
  return id
}

/** All participants who are not deleted. An import compares its file with them. */
export const listAllParticipants = (db: Db): Promise<Row<'participant'>[]> => listParticipantRows(db)

/** Undefined if there is none with this id. */
export const findParticipant = async (db: Db, id: ParticipantId): Promise<Row<'participant'> | undefined> =>
  (await listParticipantRows(db, [id]))[0]

/** @throws Failure PARTICIPANT_NOT_FOUND */
export async function assertParticipantExists(db: Db, id: ParticipantId): Promise<void> {
  if ((await findParticipantId(db, id)).length === 0) throw new Failure('PARTICIPANT_NOT_FOUND')
}

export const fullNameOf = ({ first_name, last_name }: Pick<Row<'participant'>, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter(Boolean).join(' ')

export const toParticipant = (row: ShownParticipant, links: Links): Participant => ({
  id: String(row.id),
  full_name: row.full_name,
  designation: row.designation,
  employee_no: row.employee_no,
  email: row.email,
  photo: row.photo === '' ? null : links.withMediaKey(row.photo),
  mobile_no: row.mobile_no,
  gender: row.gender,
})

const toParticipantDetails = (row: Row<'participant'>, { timestamp, links }: Scope): ParticipantDetails => ({
  id: String(row.id),
  employee_no: row.employee_no,
  designation: row.designation,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  photo: links.withMediaKey(row.photo),
  mobile_no: row.mobile_no,
  gender: row.gender,
  created_at: timestamp(row.created_at),
  modified_at: timestamp(row.modified_at),
  deleted_at: timestamp(row.deleted_at),
  created_by: String(row.created_by),
  modified_by: String(row.modified_by),
  deleted_by: String(row.deleted_by),
  is_deleted: String(row.is_deleted),
  google_id: row.google_id,
})
