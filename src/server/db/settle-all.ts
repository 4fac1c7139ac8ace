/**
 * Awaits what asks the database at the same time. As `Promise.all`, but when one of them fails the others are waited
 * for: what they went on to ask would become part of the next transaction on their connection.
 * @throws what the first to fail throws: on PostgreSQL those behind it only say that the transaction is aborted
 */
export async function settleAll<T extends readonly unknown[]>(asked: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  try {
    return (await Promise.all(asked)) as unknown as T
  } catch (error) {
    await Promise.allSettled(asked)
    throw error
  }
}
