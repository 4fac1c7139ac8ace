import { eraseCodes } from '../../auth/codes.ts'
import type { ParticipantId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import { normalizeMailAddress } from '../../platform/mail/mail-address.ts'
import type { WriteScope } from '../../scope.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { findLoginEmail, listLoginEmails, restoreLoginEmail } from './login-emails.ts'
import { eraseRowsOf } from './personal-data-store.ts'
import { storedPhotoOf } from './photos.ts'
import { changeParticipantRow, findProfileEmail, listParticipantRows } from './store.ts'

export { findWriters } from './personal-data-store.ts'
export { findAnyParticipants } from './store.ts'

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

/** Writes a participant back as it was. */
export async function restoreParticipant(
  scope: WriteScope,
  { row: { id, ...values }, login = '' }: StoredParticipant,
): Promise<void> {
  await changeParticipantRow(scope.db, id, values)
  await restoreLoginEmail(scope, id, login)
  await appendChange(scope, { kind: 'participant.updated', record: id })
}

/**
 * Deletes participants for good, with all rows that are theirs, and clears all other columns that name them: after a move,
 * others may get the same ids. Their posts and files stay, without an author.
 */
export async function removeParticipants(scope: WriteScope, ids: ParticipantId[]): Promise<void> {
  for (const id of ids) {
    // Codes may have been asked for with an address that was nobody's then, or is only in the profile.
    const emails = [await findLoginEmail(scope.db, id), await findProfileEmail(scope.db, id)].map(normalizeMailAddress)
    await eraseCodes(
      scope,
      id,
      emails.filter((email) => email !== ''),
    )
  }
  await eraseRowsOf(scope.db, ids)
  for (const id of ids) await appendChange(scope, { kind: 'participant.deleted', record: id })
}

/** The key of their photo, if we store it. */
export const participantImageKeys = ({ row }: StoredParticipant): string[] => {
  const stored = storedPhotoOf(row)
  return stored ? [stored.key] : []
}
