/** Far below the parameters that one statement takes: 32,766 with SQLite, 65,535 with PostgreSQL. */
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
