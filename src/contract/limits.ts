import type { TObject, TSchema } from 'typebox'

/**
 * The default limits of one request. Operators may configure each (see `docs/config.md`). Schemas refer to a limit with
 * `x-limit`, so that validation and OpenAPI use the configured number.
 */
export const defaultLimits = {
  /** Characters in a topic's `name`. */
  name: 1_000,
  /** Characters in a topic's `body`. */
  body: 10_000,
  /** Characters in a comment. */
  comment: 10_000,
  /** Characters in the `comments` of a feedback. */
  feedback: 10_000,
  /** Characters in a link among `uploaded_files`. */
  link: 2_048,
  /** Characters in any other string. */
  text: 255,
  /** Bytes of a JSON or urlencoded body. */
  jsonBytes: 1_048_576,
  /** Bytes of one uploaded file. */
  fileBytes: 20_971_520,
  /** Uploaded files in one request. */
  files: 10,
}

export type Limits = Readonly<typeof defaultLimits>

/** The schema with a `maxLength` for each text that has an `x-limit`, also in lists and objects. */
export const withLimits = (schema: TObject, limits: Limits): TObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => [name, withLimit(member, limits)]),
  ),
})

function withLimit(schema: TSchema, limits: Limits): TSchema {
  const {
    'x-limit': limit,
    items,
    properties,
  } = schema as Partial<Record<'x-limit', keyof Limits> & Record<'items', TSchema> & Pick<TObject, 'properties'>>
  if (limit !== undefined) return { ...schema, maxLength: limits[limit] }
  if (items) return { ...schema, items: withLimit(items, limits) }
  return properties ? withLimits(schema as TObject, limits) : schema
}

/** The maximum rows of one list response; a larger `limit` is clamped to it. */
export const maxPageRows = 1_000

/**
 * Limits of the latest comments embedded in topics: for each topic, and for all topics of the response (see
 * decision 10).
 */
export interface EmbeddedComments {
  ofEach: number
  ofAll: number
  charactersOfAll: number
}

export const embeddedComments = {
  inList: { ofEach: 100, ofAll: 5_000, charactersOfAll: 5_000_000 },
  inDetails: { ofEach: 1_000, ofAll: 1_000, charactersOfAll: 10_000_000 },
} as const satisfies Record<string, EmbeddedComments>

/** The maximum of likes that all topics of a response show (decision 10). */
export const embeddedLikes = 5_000

/**
 * Limits of attached files: of each topic or comment (more if one request may carry more), and of all topics or all
 * comments shown in one response (decision 10).
 */
export const attachedFiles = { ofEach: 100, ofAll: 5_000 }
