/**
 * Values in one statement, far below the parameters that it may have: 32,766 with SQLite, 65,535 with PostgreSQL. A
 * statement with more than a few times as many fails in the tests.
 */
const chunkSize = 1_000

/**
 * Queries by many values in chunks.
 * @param query gets at least one value and at most 1,000
 * @returns the rows of all chunks, in the order of the chunks
 */
export function inChunks<V, R>(values: V[], query: (chunk: V[]) => Promise<R[]>): Promise<R[]> {
  if (values.length === 0) return Promise.resolve([])
  return values.length <= chunkSize ? query(values) : chunkByChunk(values, query)
}

async function chunkByChunk<V, R>(values: V[], query: (chunk: V[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[][] = []
  for (let start = 0; start < values.length; start += chunkSize)
    rows.push(await query(values.slice(start, start + chunkSize)))
  return rows.flat()
}

/** How many rows with this number of columns one statement inserts. */
export const rowsPerInsert = (columns: number): number => Math.max(1, Math.floor(chunkSize / columns))

/** Rows with the same columns, in as many chunks as there are statements that insert them. */
export function insertChunks<R extends object>(rows: readonly R[]): R[][] {
  const size = rowsPerInsert(Object.keys(rows[0] ?? {}).length)
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, chunk) =>
    rows.slice(chunk * size, (chunk + 1) * size),
  )
}
