/** The kinds of damage to a blob, as in the metric. */
export const blobProblems = ['missing', 'wrong_size', 'wrong_content'] as const

type BlobProblem = (typeof blobProblems)[number]

interface Sizes {
  /** In bytes, according to the record; undefined if it has no size. */
  expected?: number | undefined
  found?: number | undefined
}

/** A blob is missing, or not as it was stored. No request can cause that: bytes are durable before their record. */
export class DamagedBlob extends Error {
  override readonly name = 'DamagedBlob'
  readonly key: string
  readonly problem: BlobProblem
  readonly expected: number | undefined
  readonly found: number | undefined

  constructor(key: string, problem: BlobProblem, { expected, found }: Sizes = {}) {
    super(messages[problem](key, expected, found))
    this.key = key
    this.problem = problem
    this.expected = expected
    this.found = found
  }
}

const messages: Record<BlobProblem, (key: string, expected?: number, found?: number) => string> = {
  missing: (key) => `the stored file ${key} is missing`,
  wrong_size: (key, expected, found) =>
    `the stored file ${key} has the wrong size: expected ${expected} bytes, found ${found}`,
  wrong_content: (key) => `the content of the stored file ${key} does not match its SHA-256`,
}

/** Called for each response for which a blob was found missing or damaged. */
export type ReportDamage = (damaged: DamagedBlob, requestId: string) => void
