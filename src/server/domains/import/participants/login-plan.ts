import { quote } from '../../../core/clean-text.ts'
import { commandName } from '../../../core/command-name.ts'
import type { ParticipantId } from '../../../core/ids.ts'
import { normalizeMailAddress } from '../../../platform/mail/mail-address.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { findFormerLogins, listLoginEmails, toLoginEmail } from '../../participants/login-emails.ts'
import type { StoredParticipant } from '../../participants/stored-participants.ts'
import { listCreated } from '../../revisions/store.ts'
import type { ImportWarning, SourceParticipant } from '../source.ts'

/** The addresses with which participants sign in, and those with which imports have created them, normalized. */
export interface KnownLogins {
  present: ReadonlyMap<ParticipantId, string>
  holders: ReadonlyMap<string, ParticipantId>
  created: ReadonlyMap<ParticipantId, string>
  /** Participants who had an address: if they have none now, an organizer or a restore has removed it. */
  former: ReadonlySet<ParticipantId>
}

/** Of a summit without participants. */
export const noLogins: KnownLogins = {
  present: new Map(),
  holders: new Map(),
  created: new Map(),
  former: new Set(),
}

export async function loadLogins(db: Db): Promise<KnownLogins> {
  const emails = (await listCreated(db, 'participant')).map(({ record_id, after }): [ParticipantId, string] => {
    const { row } = JSON.parse(after) as StoredParticipant
    return [record_id as ParticipantId, normalizeMailAddress(row.email)]
  })
  const created = new Map(emails)
  const present = await listLoginEmails(db)
  const holders = new Map(Array.from(present, ([id, email]) => [email, id]))
  // The log may be long, and usually everybody has the address.
  const isComplete = emails.every(([id, email]) => email === '' || present.has(id))
  const former = isComplete ? new Set<ParticipantId>() : await findFormerLogins(db)
  return { present, holders, created, former }
}

/** The address that a row sets, or why it sets none. */
export interface PlannedLogin {
  login?: string
  warning?: ImportWarning
}

/**
 * A row sets the address of a participant whom it creates, or whom an import has created with the same address, unless
 * they have one or theirs was removed. It replaces one only if the operator says that it is the same person. For other participants, the e-mail address and number by which the import found
 * them may have been written by somebody who wants to sign in as them, or wants others to share a profile.
 * @param id of the stored participant; undefined for a new one
 * @param isChanged whether the row is theirs with another address
 */
export function planLogin(
  { line, values }: SourceParticipant,
  id: ParticipantId | undefined,
  isChanged: boolean,
  { present, holders, created, former }: KnownLogins,
): PlannedLogin {
  const login = toLoginEmail(values.email ?? '')
  const current = id === undefined ? undefined : present.get(id)
  if (login === undefined || login === current || (current !== undefined && !isChanged)) return {}
  if (id !== undefined && current === undefined && created.get(id) !== login) {
    const message =
      `Participant ${id} was not created with ${quote(login)}, so they do not sign in with it. If it is theirs: ` +
      `${commandName} participant login ${id} ${login}`
    return { warning: { line, message } }
  }
  if (id !== undefined && current === undefined && former.has(id)) {
    const message =
      `The address with which participant ${id} signs in was removed. To set it again: ` +
      `${commandName} participant login ${id} ${login}`
    return { warning: { line, message } }
  }
  const holder = holders.get(login)
  if (holder === undefined) return { login }
  return { warning: { line, message: `Participant ${holder} signs in with ${quote(login)}, so nobody else does.` } }
}
