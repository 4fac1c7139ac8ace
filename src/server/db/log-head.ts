import type { Db } from './tables.ts'

/** The newest row of the change log; its hash is '' if it is not sealed. */
export interface LogHead {
  id: number
  hash: string
}

/**
 * The head of the log as the present transaction on each database sees it. No other process appends meanwhile, so the
 * head is read only once for all writes that share the transaction.
 */
const heads = new WeakMap<Db, LogHead>()

export const knownHead = (tx: Db): LogHead | undefined => heads.get(tx)

export const setHead = (tx: Db, head: LogHead): void => void heads.set(tx, head)

/** Call it when a transaction begins, and when a part of it is rolled back. */
export const forgetHead = (tx: Db): void => void heads.delete(tx)
