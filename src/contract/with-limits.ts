import type { TObject } from 'typebox'
import type { Limits } from './limits.ts'

/** The same schema with the `maxLength` of each text that names an `x-limit`. */
export function withLimits(schema: TObject, limits: Limits): TObject {
  const properties = Object.entries(schema.properties).map(([name, member]) => {
    const limit = 'x-limit' in member ? (member['x-limit'] as keyof Limits) : undefined
    return [name, limit === undefined ? member : { ...member, maxLength: limits[limit] }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
