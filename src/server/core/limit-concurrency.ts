/** Runs at most `max` tasks at once; further ones wait in order of arrival. */
export function limitConcurrency(max: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < max) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The slot goes straight to the next in line, so that a new caller cannot jump the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
