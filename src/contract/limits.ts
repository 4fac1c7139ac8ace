/**
 * What one request may carry, by default. An operator may set each (see `docs/config.md`);
 * the schemas name their limit with `x-limit`, so that the configured number reaches validation and OpenAPI alike.
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

/** Rows that one list answer holds at the most; a larger `limit` is clamped to it. */
export const maxPageRows = 1_000

/**
 * Comments that topics embed, the latest of each: so many of each topic at the most, and no more than are within the
 * bounds of all topics of the answer together (see `docs/decisions/0010-page-size.md`).
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

/**
 * Files that a topic or a comment has at a time, unless one request may bring more; and that an answer shows of all its
 * topics, and as many of all its comments (see `docs/decisions/0010-page-size.md`).
 */
export const attachedFiles = { ofEach: 100, ofAll: 5_000 }
