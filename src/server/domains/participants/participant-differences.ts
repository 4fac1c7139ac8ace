import { formatDifference } from '../../core/clean-text.ts'
import type { Row } from '../../storage/db/tables.ts'

/** The columns of a participant that an import may change. */
export const participantFields = [
  'employee_no',
  'designation',
  'email',
  'first_name',
  'last_name',
  'photo',
  'mobile_no',
  'gender',
] as const

export type ParticipantField = (typeof participantFields)[number]

/** The fields that identify a participant, the more reliable one first. */
export const identityFields = ['email', 'employee_no'] as const
export type IdentityField = (typeof identityFields)[number]

/** How a plan names a change of the address with which a participant signs in. */
export const loginDifference = 'address to sign in with'

/** Shown with both values in a plan: a row with a wrong number would turn one person into another. */
const identifyingFields = new Set<string>([...identityFields, 'first_name', 'last_name'] satisfies ParticipantField[])

/** The fields of a participant that differ; identifying ones with the stored and the new value. */
export function compareParticipant(
  values: Partial<Record<ParticipantField, string>>,
  person: Row<'participant'>,
): string[] {
  const stored: Partial<Record<string, unknown>> = person
  return Object.entries(values).flatMap(([name, value]) => {
    if (isSame(name, stored[name], value)) return []
    return identifyingFields.has(name) ? [formatDifference(name, String(stored[name] ?? ''), value)] : [name]
  })
}

/** E-mail addresses ignore case. */
const isSame = (name: string, stored: unknown, given: string): boolean =>
  stored === given || (name === 'email' && String(stored).toLowerCase() === given.toLowerCase())
