import type { FailedField } from '../../../contract/envelope.ts'
import type { CheckedValues, Checks } from './validate.ts'

/**
 * Reads the query of a URL. An empty parameter counts as absent, because forms send empty fields. An unknown or repeated
 * parameter is refused: ignoring a filter would return rows that were not requested.
 * @param names of the parameters that the operation has
 * @param query with its question mark, or empty
 */
export function readQuery(checks: Checks, names: readonly string[], query: string): CheckedValues {
  const sent = [...new URLSearchParams(query)].filter(([, value]) => value !== '')
  const given = Object.groupBy(sent, ([name]) => name)
  const refused = Object.entries(given).flatMap(([field, values = []]): FailedField[] => {
    if (!names.includes(field)) return [{ field, in: 'query', reason: 'UNKNOWN', message: unknownMessage(names) }]
    if (values.length === 1) return []
    return [{ field, in: 'query', reason: 'REPEATED', message: `${field} may be sent once.` }]
  })
  const { values, fields } = checks.query(Object.fromEntries(sent))
  return { values, fields: [...refused, ...fields] }
}

const unknownMessage = (names: readonly string[]): string => `There is no such parameter. Use ${names.join(', ')}.`
