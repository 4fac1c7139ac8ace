/**
 * Shares a look at something that changes among all who ask at the same time. Each is answered by a look that began
 * after it asked, so what it learns is never older than its question; who asks while one is under way waits for the next.
 * @param look is never called twice at once
 */
export function coalesce<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined

  const begin = async (): Promise<T> => {
    await underWay.catch(() => {})
    next = undefined
    const seen = look()
    underWay = seen
    return seen
  }

  return () => {
    next ??= begin()
    return next
  }
}
