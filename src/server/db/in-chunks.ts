/** Far below the parameters that one statement takes: 32,766 with SQLite, 65,535 with PostgreSQL. */
const atOnce = 1_000

/**
 * Queries by many values, some at a time.
 * @param query gets at least one value and at most 1,000
 * @returns the rows of all, in the order of the values' chunks
 */
export function inChunks<V, R>(values: V[], query: (some: V[]) => Promise<R[]>): Promise<R[]> {
  if (values.length === 0) return Promise.resolve([])
  return values.length <= atOnce ? query(values) : chunkByChunk(values, query)
}

async function chunkByChunk<V, R>(values: V[], query: (some: V[]) => Promise<R[]>): Promise<R[]> {
  const rows: R[][] = []
  for (let start = 0; start < values.length; start += atOnce)
    rows.push(await query(values.slice(start, start + atOnce)))
  return rows.flat()
}
