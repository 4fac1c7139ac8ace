import { commandName } from '../server/core/command-name.ts'
import type { ParticipantId } from '../server/core/ids.ts'
import { OperatorError } from '../server/core/operator-error.ts'
import type { Db, Row } from '../server/db/tables.ts'
import { groupByIdentity } from '../server/import/participant-identities.ts'
import { findParticipant, listAllParticipants } from '../server/participants/participants.ts'
import { noSuchRecord, parseId } from './record-id.ts'

/**
 * Finds the participant whom an operator means.
 * @param idOrEmail an address must be that of one participant only
 * @throws OperatorError if there is none, or more than one
 */
export async function identifyParticipant(db: Db, idOrEmail: string): Promise<Row<'participant'>> {
  if (/^\d+$/.test(idOrEmail)) {
    const id = parseId(idOrEmail) as ParticipantId
    const participant = await findParticipant(db, id)
    if (!participant) throw noSuchRecord('participant', id)
    return participant
  }
  const people = groupByIdentity('email', await listAllParticipants(db)).get(idOrEmail.trim().toLowerCase()) ?? []
  const [person, another] = people
  if (!person)
    throw new OperatorError(
      `“${idOrEmail}” is neither the id nor the e-mail address of a participant. The ids are in the list that this prints: ` +
        `${commandName} export participants`,
    )
  if (another) {
    const ids = people.map(({ id }) => id).join(', ')
    throw new OperatorError(
      `${people.length} participants have the e-mail address “${idOrEmail}”: ${ids}. Use the id of one of them.`,
    )
  }
  return person
}
