import { organizerSessionMs } from '../../auth/session-limits.ts'
import { startSession } from '../../auth/sessions.ts'
import { noParticipant } from '../../core/ids.ts'
import type { WriteScope } from '../../scope.ts'
import { findOrganizerOf, type Identity } from '../organizers/identities.ts'

/** Signs in the organizer who has connected an account. @returns false if none has, or they have been removed */
export async function signInWithIdentity(scope: WriteScope, identity: Identity): Promise<boolean> {
  const organizer = await findOrganizerOf(scope.db, identity)
  if (organizer === undefined) return false
  const expiresAt = scope.now + organizerSessionMs
  await startSession(scope, { participant: noParticipant, organizer, expiresAt })
  return true
}
