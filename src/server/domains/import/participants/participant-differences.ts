import type { ParticipantField } from '../source.ts'
import { formatDifference } from '../text/clean.ts'
import { identityFields, type ParticipantRow } from './participant-identities.ts'

/** Shown with both values in a plan: a row with a wrong number would turn one person into another. */
const identifyingFields = new Set<string>([...identityFields, 'first_name', 'last_name'] satisfies ParticipantField[])

/** The fields of a participant that differ; identifying ones with the stored and the new value. */
export function compareParticipant(
  values: Partial<Record<ParticipantField, string>>,
  person: ParticipantRow,
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
