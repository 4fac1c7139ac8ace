import type { TObject } from 'typebox'
import type { Limits } from './limits.ts'

/** The schema with a `maxLength` for each text that has an `x-limit`. */
export function withLimits(schema: TObject, limits: Limits): TObject {
  const properties = Object.entries(schema.properties).map(([name, member]) => {
    const limit = 'x-limit' in member ? (member['x-limit'] as keyof Limits) : undefined
    return [name, limit === undefined ? member : { ...member, maxLength: limits[limit] }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
