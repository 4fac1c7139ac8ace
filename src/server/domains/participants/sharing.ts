import type { ChangeKind } from '../../../contract/changes.ts'
import type { Data } from '../../../contract/index.ts'
import type { Sharing } from '../../../contract/me.ts'
import type { ParticipantId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import { findSharing, getParticipant, storeSharing } from './store.ts'

/** The parts of a profile that the directory shows to others: none until the participant chooses them. */
export async function readSharing({ db }: Scope, participant: ParticipantId): Promise<Sharing> {
  const row = await findSharing(db, participant)
  return {
    email: row?.email === 1,
    mobile_no: row?.mobile_no === 1,
    employee_no: row?.employee_no === 1,
    is_hidden: row?.is_hidden === 1,
  }
}

/** Changes only the given choices of the sender. @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is none */
export async function updateSharing(
  scope: WriteScope,
  choices: HandlerInput<'updateSharing'>,
): Promise<Data<'updateSharing'>> {
  const { participant } = scope.principal
  await getParticipant(scope.db, participant)
  return { sharing: await changeSharing(scope, participant, choices) }
}

const contacts = ['email', 'mobile_no', 'employee_no'] as const

/** Removes the contacts of a participant from the directory. @returns false if it shows none */
export async function withdrawContacts(scope: WriteScope, participant: ParticipantId): Promise<boolean> {
  const sharing = await readSharing(scope, participant)
  if (!contacts.some((contact) => sharing[contact])) return false
  await changeSharing(scope, participant, { email: false, mobile_no: false, employee_no: false })
  return true
}

/** Removes a participant from the directory. @returns false if they are not in it */
export async function hideParticipant(scope: WriteScope, participant: ParticipantId): Promise<boolean> {
  if ((await readSharing(scope, participant)).is_hidden) return false
  await changeSharing(scope, participant, { is_hidden: true })
  return true
}

/** Logs withdrawals as changes of their own, because restored backups repeat them. */
async function changeSharing(
  scope: WriteScope,
  participant: ParticipantId,
  choices: Partial<Sharing>,
): Promise<Sharing> {
  const before = await readSharing(scope, participant)
  const sharing = { ...before, ...choices }
  await storeSharing(scope.db, {
    participant_id: participant,
    email: Number(sharing.email),
    mobile_no: Number(sharing.mobile_no),
    employee_no: Number(sharing.employee_no),
    is_hidden: Number(sharing.is_hidden),
  })
  const kinds: Extract<ChangeKind, `sharing.${string}`>[] = []
  if (contacts.some((contact) => before[contact] && !sharing[contact])) kinds.push('sharing.withdrawn')
  if (sharing.is_hidden && !before.is_hidden) kinds.push('sharing.hidden')
  if (kinds.length === 0) kinds.push('sharing.updated')
  const { participant: actor } = scope.principal
  for (const kind of kinds) await appendChange(scope, { kind, record: participant, actor })
  return sharing
}
