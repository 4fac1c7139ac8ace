import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of at most `maxEntries` entries that allocates memory as it fills. With lru-cache's `max` it would
 * allocate all of it at once, which for 10,000 entries adds a millisecond to each start.
 */
export const createCache = <Key extends {}, Value extends {}>(maxEntries: number, memoMethod?: (key: Key) => Value) =>
  new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ...(memoMethod && { memoMethod }) })
