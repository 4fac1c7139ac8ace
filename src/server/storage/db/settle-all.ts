/**
 * Awaits queries that run concurrently. Like `Promise.all`, but waits for the others when one of them fails: queries
 * that they still send would become part of the next transaction on their connection.
 * @throws the error of the first to fail: on PostgreSQL those after it only say that the transaction is aborted
 */
export async function settleAll<T extends readonly unknown[]>(promises: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  try {
    return (await Promise.all(promises)) as unknown as T
  } catch (error) {
    await Promise.allSettled(promises)
    throw error
  }
}
