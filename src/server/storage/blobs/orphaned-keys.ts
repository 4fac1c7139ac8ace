/** Beyond this the oldest keys are dropped. Their blobs only take space, until `summit sweep` removes them. */
const maxKeys = 10_000

/** Keys that are to be removed later. */
export interface OrphanedKeys {
  add(key: string): void
  /** Cancels the removal of a key. Once this resolves, no removal of it is running. */
  release(key: string): Promise<void>
  /** Cancels all removals. */
  stop(): void
}

/**
 * Removes keys of uploads that failed with an unknown outcome, and retries until that succeeds.
 * @param remove fails while the store is unavailable
 * @param delayMs the delay before each attempt: a slow upload may complete after we have given it up
 */
export function orphanedKeys(remove: (key: string) => Promise<void>, delayMs: number): OrphanedKeys {
  /** The moment from which each key may be removed, soonest first. */
  const due = new Map<string, number>()
  let removing: { key: string; done: Promise<boolean> } | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const schedule = () => {
    if (timer || stopped || due.size === 0) return
    timer = setTimeout(removeDue, delayMs)
    // Does not keep the process alive.
    timer.unref()
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
    timer = undefined
    schedule()
  }

  return {
    add(key) {
      due.delete(key)
      due.set(key, performance.now() + delayMs)
      const oldest = due.size > maxKeys ? due.keys().next().value : undefined
      if (oldest !== undefined) due.delete(oldest)
      schedule()
    },
    async release(key) {
      due.delete(key)
      if (removing?.key === key) await removing.done
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
