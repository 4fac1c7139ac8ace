import { formatDifference } from '../../core/clean-text.ts'
import type { Row } from '../../storage/db/tables.ts'

/** The columns of a participant that an import may change, with their names in a plan. */
export const participantLabels = {
  email: 'e-mail address',
  employee_no: 'employee number',
  first_name: 'first name',
  last_name: 'last name',
  designation: 'job title',
  mobile_no: 'mobile number',
  gender: 'gender',
  photo: 'photo',
} as const satisfies Partial<Record<keyof Row<'participant'>, string>>

export type ParticipantField = keyof typeof participantLabels

/** The fields that identify a participant, the more reliable one first. */
export const identityFields = ['email', 'employee_no'] as const
export type IdentityField = (typeof identityFields)[number]

/** How a plan names a change of the address with which a participant signs in. */
export const loginDifference = 'address to sign in with'

/** The fields of a participant that differ, in the organizer's words, with the stored and the new value. */
export function compareParticipant(
  values: Partial<Record<ParticipantField, string>>,
  person: Row<'participant'>,
): string[] {
  return (Object.keys(participantLabels) as ParticipantField[]).flatMap((field) => {
    const [from, to] = [person[field], values[field]]
    return to === undefined || isSame(field, from, to) ? [] : [describe(field, from, to)]
  })
}

/** An address of a photo says nothing to people. */
const describe = (field: ParticipantField, from: string, to: string): string =>
  field === 'photo'
    ? `photo ${from === '' ? 'added' : to === '' ? 'removed' : 'replaced'}`
    : formatDifference(participantLabels[field], from, to)

/** E-mail addresses ignore case. */
const isSame = (field: ParticipantField, stored: string, given: string): boolean =>
  stored === given || (field === 'email' && stored.toLowerCase() === given.toLowerCase())
