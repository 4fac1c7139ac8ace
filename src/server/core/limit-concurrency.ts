/** Lets at most `most` pieces of work run at once; the others wait their turn, first come first served. */
export function limitConcurrency(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever is next takes over the place, so that nobody who comes now gets ahead of it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
