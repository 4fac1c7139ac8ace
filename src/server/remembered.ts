/**
 * Remembers what `make` has made of each value, which takes it longer than to look it up; when they are
 * more than `most`, it begins anew. Something made must not be `undefined`.
 */
export function remembered<K, V>(most: number, make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    if (made.size >= most) made.clear()
    made.set(key, value)
    return value
  }
}
