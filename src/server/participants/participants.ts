import type { Data } from '../../contract/index.ts'
import type { Participant, ParticipantDetails } from '../../contract/participants.ts'
import { appendChange } from '../changes/log.ts'
import type { ParticipantId } from '../core/ids.ts'
import type { PageParams } from '../core/paging.ts'
import type { Db, Row } from '../db/tables.ts'
import type { HandlerInput } from '../operation.ts'
import type { Scope, WriteScope } from '../scope.ts'
import {
  changeParticipant,
  countParticipantRows,
  getParticipant,
  insertParticipant,
  listParticipantRows,
  type ParticipantValues,
  pageOfParticipants,
  type ShownParticipant,
} from './store.ts'

export async function listParticipants({ db }: Scope, page: PageParams): Promise<Data<'listParticipants'>> {
  const rows = await pageOfParticipants(db, page)
  return { participants: rows.map(toParticipant) }
}

/** Changes only the given members. @throws Failure PARTICIPANT_NOT_FOUND */
export async function updateParticipant(
  scope: WriteScope,
  { participantId, ...values }: HandlerInput<'updateParticipant'>,
): Promise<Data<'updateParticipant'>> {
  await getParticipant(scope.db, participantId)
  await changeParticipant(scope.db, participantId, values, scope.now)
  await appendChange(scope, { kind: 'participant.updated', record: participantId })
  return { participant: toParticipantDetails(await getParticipant(scope.db, participantId), scope) }
}

/** Adds a participant; absent values are empty. */
export async function addParticipant(scope: WriteScope, values: Partial<ParticipantValues>): Promise<ParticipantId> {
  const id = await insertParticipant(scope.db, { ...values, created_at: scope.now })
  await appendChange(scope, { kind: 'participant.created', record: id })
  return id
}

/** All participants who are not deleted. An import compares its file with them. */
export const listAllParticipants = (db: Db): Promise<Row<'participant'>[]> => listParticipantRows(db)

export const countParticipants = (db: Db): Promise<number> => countParticipantRows(db)

/** Undefined if there is none with this id. */
export const findParticipant = async (db: Db, id: ParticipantId): Promise<Row<'participant'> | undefined> =>
  (await listParticipantRows(db, [id]))[0]

export const fullNameOf = ({ first_name, last_name }: Pick<Row<'participant'>, 'first_name' | 'last_name'>): string =>
  [first_name, last_name].filter(Boolean).join(' ')

const toParticipant = (row: ShownParticipant): Participant => ({
  id: String(row.id),
  full_name: row.full_name,
  designation: row.designation,
  employee_no: row.employee_no,
  email: row.email,
  photo: row.photo === '' ? null : row.photo,
  mobile_no: row.mobile_no,
  gender: row.gender,
})

const toParticipantDetails = (row: Row<'participant'>, { timestamp }: Scope): ParticipantDetails => ({
  id: String(row.id),
  employee_no: row.employee_no,
  designation: row.designation,
  email: row.email,
  first_name: row.first_name,
  last_name: row.last_name,
  photo: row.photo,
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
