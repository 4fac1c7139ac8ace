/** Far below the parameters that one statement takes: 32,766 with SQLite, 65,535 with PostgreSQL. */
const atOnce = 1_000

/**
 * Queries by many values, some at a time.
 * @param query gets at least one value and at most 1,000, of the distinct ones
 * @returns the rows of all, in the order of the values' chunks
 */
export async function inChunks<V, R>(values: Iterable<V>, query: (some: V[]) => Promise<R[]>): Promise<R[]> {
  const distinct = [...new Set(values)]
  if (distinct.length > 0 && distinct.length <= atOnce) return query(distinct)
  const rows: R[][] = []
  for (let start = 0; start < distinct.length; start += atOnce)
    rows.push(await query(distinct.slice(start, start + atOnce)))
  return rows.flat()
}
