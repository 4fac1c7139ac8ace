/**
 * Remembers the results of a pure function, at most `maxEntries` of them; then it begins anew.
 * @param compute must depend on the key alone, and not return `undefined`; `context` spares it what the caller knows anyway
 */
export function memoize<K, V, Context extends unknown[]>(
  maxEntries: number,
  compute: (key: K, ...context: Context) => V,
): (key: K, ...context: Context) => V {
  const results = new Map<K, V>()
  return (key, ...context) => {
    const known = results.get(key)
    if (known !== undefined) return known
    const result = compute(key, ...context)
    if (results.size >= maxEntries) results.clear()
    results.set(key, result)
    return result
  }
}
