/**
 * Caches the results of a pure function, up to `maxEntries`; a full cache is cleared.
 * @param compute must depend on the key alone and never return `undefined`; `context` passes in values it need not
 *   recompute
 */
export function memoize<K, V, Context extends unknown[]>(
  maxEntries: number,
  compute: (key: K, ...context: Context) => V,
): (key: K, ...context: Context) => V {
  const results = new Map<K, V>()
  return (key, ...context) => {
    const cached = results.get(key)
    if (cached !== undefined) return cached
    const result = compute(key, ...context)
    if (results.size >= maxEntries) results.clear()
    results.set(key, result)
    return result
  }
}
