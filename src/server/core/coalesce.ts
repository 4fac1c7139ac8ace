/**
 * Shares one call of `read` among concurrent callers. The call a caller shares always starts after the caller arrived,
 * so its result is never stale; callers that arrive while a call is in progress share the next one.
 * @param read is never run twice at the same time
 */
export function coalesce<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined

  const startNext = async (): Promise<T> => {
    await current.catch(() => {})
    next = undefined
    const result = read()
    current = result
    return result
  }

  return () => {
    next ??= startNext()
    return next
  }
}
