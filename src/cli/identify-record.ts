import { commandName } from '../server/core/command-name.ts'
import { OperatorError } from '../server/core/errors.ts'
import { noParticipant, type ParticipantId } from '../server/core/ids.ts'
import { groupByIdentity } from '../server/domains/import/participants/participant-identities.ts'
import { findParticipantByLogin } from '../server/domains/participants/login-emails.ts'
import { findParticipant, fullNameOf, listAllParticipants } from '../server/domains/participants/participants.ts'
import { normalizeMailAddress } from '../server/platform/mail/mail-address.ts'
import type { Db, Row } from '../server/storage/db/tables.ts'

/** @throws OperatorError if it is not the id of a record */
export function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new OperatorError(`“${text}” is not an id: it must be a number from 1.`)
  return Number(text)
}

/** @param kind as the operator knows it: `participant`, `deleted topic` */
export const noSuchRecord = (kind: string, id: number): OperatorError => new OperatorError(`There is no ${kind} ${id}.`)

/**
 * Finds the participant whom an operator means.
 * @param idOrEmail an address must be the one with which they sign in: that in a profile may have been written by
 *   somebody who wants to be taken for them
 * @throws OperatorError if there is none
 */
export async function identifyParticipant(db: Db, idOrEmail: string): Promise<Row<'participant'>> {
  if (/^\d+$/.test(idOrEmail)) return getParticipant(db, parseId(idOrEmail) as ParticipantId)
  const email = normalizeMailAddress(idOrEmail)
  const owner = await findParticipantByLogin(db, email)
  if (owner !== noParticipant) return getParticipant(db, owner)
  const named = groupByIdentity('email', await listAllParticipants(db)).get(email) ?? []
  if (named.length === 0)
    throw new OperatorError(
      `“${idOrEmail}” is neither the id of a participant nor the address with which one signs in. The ids are in the ` +
        `list that this prints: ${commandName} export participants`,
    )
  const profiles = named.map((participant) => `participant ${participant.id} (${fullNameOf(participant)})`)
  throw new OperatorError(
    `Nobody signs in with “${idOrEmail}”. It is in the profile of ${profiles.join(' and ')}, where somebody else may ` +
      'have written it. Use the id of the participant you mean.',
  )
}

async function getParticipant(db: Db, id: ParticipantId): Promise<Row<'participant'>> {
  const participant = await findParticipant(db, id)
  if (!participant) throw noSuchRecord('participant', id)
  return participant
}
