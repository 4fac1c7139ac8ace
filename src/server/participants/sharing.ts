import type { Data } from '../../contract/index.ts'
import type { Sharing } from '../../contract/me.ts'
import { appendChange } from '../changes/log.ts'
import type { ParticipantId } from '../core/ids.ts'
import type { HandlerInput } from '../operation.ts'
import type { Scope, WriteScope } from '../scope.ts'
import { findSharing, storeSharing } from './sharing-store.ts'
import { getParticipant } from './store.ts'

/** What the directory shows of a participant to others: nothing until they choose it. */
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
  const sharing: Sharing = { ...(await readSharing(scope, participant)), ...choices }
  await storeSharing(scope.db, {
    participant_id: participant,
    email: Number(sharing.email),
    mobile_no: Number(sharing.mobile_no),
    employee_no: Number(sharing.employee_no),
    is_hidden: Number(sharing.is_hidden),
  })
  await appendChange(scope, { kind: 'sharing.updated', record: participant, actor: participant })
  return { sharing }
}
