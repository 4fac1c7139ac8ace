import { revokeCredential } from '../../auth/credentials.ts'
import { endPasskey } from '../../auth/passkeys/passkeys.ts'
import { isFuture } from '../../core/clock.ts'
import type { OrganizerId, ParticipantId, PasskeyId, SpeakerId } from '../../core/ids.ts'
import { eraseResponsesOf } from '../../log/idempotency/erase.ts'
import { type LedgerEntry, type LedgerKind, selectEntries } from '../../log/ledger/entries.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { deleteFeedback } from '../feedback/feedback.ts'
import { eraseFilesBy } from '../files/erase.ts'
import { disconnect } from '../organizers/identities.ts'
import { endOrganizer, endSignIns } from '../organizers/organizers.ts'
import { endLogin } from '../participants/login-emails.ts'
import { hideParticipant, withdrawContacts } from '../participants/sharing.ts'
import { forgetSpeaker } from './erase-speaker.ts'
import { forgetParticipant } from './forget-participant.ts'

interface Repetition {
  /** The table of the record. */
  table: 'participant' | 'speaker' | 'feedback' | 'credential' | 'organizer' | 'passkey'
  /** @returns false if there was nothing to do */
  repeat(scope: WriteScope, id: number): Promise<unknown>
}

const forget = (keepPosts: boolean): Repetition => ({
  table: 'participant',
  repeat: async (scope, id) => {
    await forgetParticipant(scope, id as ParticipantId, keepPosts)
    await eraseResponsesOf(scope.db, id as ParticipantId)
  },
})

/** In the order in which they are repeated: of several entries of a participant, the one that erases most counts. */
const repetitions: Record<LedgerKind, Repetition> = {
  'participant.files_erased': {
    table: 'participant',
    repeat: (scope, id) => eraseFilesBy(scope.db, id as ParticipantId),
  },
  'participant.forgotten': forget(false),
  'participant.anonymized': forget(true),
  'participant.deleted': forget(true),
  'speaker.erased': { table: 'speaker', repeat: (scope, id) => forgetSpeaker(scope, id as SpeakerId) },
  'feedback.deleted': { table: 'feedback', repeat: deleteFeedback },
  'credential.revoked': { table: 'credential', repeat: revokeCredential },
  // With which roles is not known here: they have to be invited again.
  'organizer.updated': { table: 'organizer', repeat: (scope, id) => endSignIns(scope, id as OrganizerId) },
  'organizer.disconnected': { table: 'organizer', repeat: (scope, id) => disconnect(scope, id as OrganizerId) },
  'passkey.removed': { table: 'passkey', repeat: (scope, id) => endPasskey(scope, id as PasskeyId) },
  // To which address is not known here.
  'login.changed': { table: 'participant', repeat: (scope, id) => endLogin(scope, id as ParticipantId) },
  // The entry does not name the contact, so all are withdrawn.
  'sharing.withdrawn': { table: 'participant', repeat: (scope, id) => withdrawContacts(scope, id as ParticipantId) },
  'sharing.hidden': { table: 'participant', repeat: (scope, id) => hideParticipant(scope, id as ParticipantId) },
  'organizer.removed': { table: 'organizer', repeat: (scope, id) => endOrganizer(scope, id as OrganizerId) },
}

/**
 * Repeats the erasures and revocations of a ledger on a summit that was restored from an older backup.
 * @param entries in the order in which they were recorded
 * @returns how many entries were repeated
 */
export async function applyLedger(scope: WriteScope, entries: readonly LedgerEntry[]): Promise<number> {
  const unknown = await withoutKnown(scope.db, entries)
  let repeated = 0
  for (const [kind, { table, repeat }] of Object.entries(repetitions))
    for (const entry of unknown.filter((one) => one.kind === kind))
      if ((await existed(scope, table, entry)) && (await repeat(scope, entry.record)) !== false) repeated++
  return repeated
}

/**
 * The entries that are to be repeated: those of which the log of the backup has neither the entry itself nor a later one of
 * the same kind for the record, after which the record was changed on purpose. What is later is a matter of the order, as
 * a clock may have been wrong.
 */
async function withoutKnown(db: Db, entries: readonly LedgerEntry[]): Promise<LedgerEntry[]> {
  const logged = new Set((await selectEntries(db)).map(identityOf))
  const known = new Set<string>()
  const isKnown = (entry: LedgerEntry): boolean => {
    const subject = `${entry.kind} ${entry.record}`
    if (logged.has(identityOf(entry))) known.add(subject)
    return known.has(subject)
  }
  return entries
    .toReversed()
    .filter((entry) => !isKnown(entry))
    .reverse()
}

/** Logs that a restore has forked have different changes with the same id. */
const identityOf = ({ id, at, kind, record, hash }: LedgerEntry): string => [id, at, kind, record, hash].join(' ')

/**
 * Whether the record existed at the time of the entry. Otherwise it is another one that got the same id. One that is dated
 * in the future was created by a wrong clock, and is taken for the same: somebody who was erased must not come back.
 */
async function existed({ db, now }: WriteScope, table: Repetition['table'], { record, at }: LedgerEntry) {
  const row = db
    .selectFrom(table)
    .select('created_at')
    .where('id', '=', record as never)
  const created = (await row.executeTakeFirst())?.created_at
  return created !== undefined && (created <= at || isFuture(created, now))
}
