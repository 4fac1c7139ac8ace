/** Makes a function that computes the result of each argument once. It remembers all of them, as long as it is used itself. */
export function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.get(key)
    if (value !== undefined || known.has(key)) return value as Value
    const computed = compute(key)
    known.set(key, computed)
    return computed
  }
}
