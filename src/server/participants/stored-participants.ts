import { eraseCredentials } from '../access/credentials.ts'
import { appendChange } from '../changes/log.ts'
import type { ParticipantId } from '../core/ids.ts'
import { inChunks } from '../db/in-chunks.ts'
import type { Db, Row } from '../db/tables.ts'
import type { WriteScope } from '../scope.ts'
import { eraseLogin, listLoginEmails, restoreLoginEmail } from './login-emails.ts'
import { storedPhotoOf } from './photos.ts'
import { eraseSharing } from './sharing-store.ts'
import { changeParticipantRow, deleteParticipant, findAnyIds, listParticipantRows } from './store.ts'

/** A participant as stored. */
export interface StoredParticipant {
  row: Row<'participant'>
  /** The address with which they sign in; absent for none. */
  login?: string
}

export async function loadParticipants(db: Db, ids: readonly ParticipantId[]): Promise<StoredParticipant[]> {
  const rows = await inChunks([...ids], (some) => listParticipantRows(db, some))
  const logins = await listLoginEmails(db, [...ids])
  return rows.map((row) => {
    const login = logins.get(row.id)
    return { row, ...(login !== undefined && { login }) }
  })
}

/** Participants, also those who are marked as deleted, in no particular order. */
export const findAnyParticipants = (db: Db, limit: number): Promise<ParticipantId[]> => findAnyIds(db, limit)

/** Writes a participant back as it was. */
export async function restoreParticipant(
  scope: WriteScope,
  { row: { id, ...values }, login = '' }: StoredParticipant,
): Promise<void> {
  await changeParticipantRow(scope.db, id, values)
  await restoreLoginEmail(scope, id, login)
  await appendChange(scope, { kind: 'participant.updated', record: id })
}

/** Deletes a participant for good, with their keys, login and choices: after a move, another may get the same id. */
export async function removeParticipant(
  scope: WriteScope,
  { row: { id } }: { row: Pick<Row<'participant'>, 'id'> },
): Promise<void> {
  await eraseCredentials(scope, id)
  await eraseLogin(scope, id)
  await eraseSharing(scope.db, id)
  await deleteParticipant(scope.db, id)
  await appendChange(scope, { kind: 'participant.deleted', record: id })
}

/** The key of their imported photo, if there is one. */
export const participantImageKeys = ({ row }: StoredParticipant): string[] => {
  const stored = storedPhotoOf(row)
  return stored ? [stored.key] : []
}
