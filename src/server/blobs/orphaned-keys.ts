/** More than this are forgotten, the oldest first: they take room, and do no other harm. */
const maxKeys = 10_000

/** Keys that are to be removed some time later. */
export interface OrphanedKeys {
  add(key: string): void
  /** Keeps a key from being removed. After this resolves no removal of it is under way. */
  release(key: string): Promise<void>
  /** Removes nothing any more. */
  stop(): void
}

/**
 * Removes keys whose storing failed with an outcome that nobody knows, again and again until that succeeds.
 * @param remove fails while the store is away
 * @param afterMs a store that was too slow may finish after we have given up, so removing waits for that long, and for
 *   as long again after each failure
 */
export function orphanedKeys(remove: (key: string) => Promise<void>, afterMs: number): OrphanedKeys {
  /** Key to the moment from which it may be removed, soonest first. */
  const due = new Map<string, number>()
  let removing: { key: string; done: Promise<boolean> } | undefined
  let waiting: NodeJS.Timeout | undefined
  let stopped = false

  const wait = () => {
    if (waiting || stopped || due.size === 0) return
    waiting = setTimeout(removeDue, afterMs)
    // Keeps no process from ending.
    waiting.unref()
  }

  const removeDue = async () => {
    for (const [key, from] of due) {
      if (stopped || from > performance.now()) break
      const done = remove(key).then(
        () => true,
        () => false,
      )
      removing = { key, done }
      const removed = await done
      removing = undefined
      if (!removed) break
      if (due.get(key) === from) due.delete(key)
    }
    waiting = undefined
    wait()
  }

  return {
    add(key) {
      due.delete(key)
      due.set(key, performance.now() + afterMs)
      const oldest = due.size > maxKeys ? due.keys().next().value : undefined
      if (oldest !== undefined) due.delete(oldest)
      wait()
    },
    async release(key) {
      due.delete(key)
      if (removing?.key === key) await removing.done
    },
    stop() {
      stopped = true
      clearTimeout(waiting)
    },
  }
}
