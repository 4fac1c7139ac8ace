import { createHmac, type KeyObject } from 'node:crypto'
import type { Row } from '../db/tables.ts'

/** The log before its first change. */
export const emptyLog = { id: 0, hash: '' } as const

/**
 * The hash of a change: HMAC-SHA-256 over its columns and the hash of the change before, as 64 hex digits. Every column
 * is a number or one of the server's own words, so that erasing personal data leaves the hashes valid.
 * @param before the hash of the change before; '' if that is not sealed, or there is none
 */
export const hashOfChange = (
  key: KeyObject,
  before: string,
  { id, at, kind, record_id, parent_id, actor_id, credential_id, request_id }: Omit<Row<'change'>, 'hash'>,
): string =>
  createHmac('sha256', key)
    // Only the last may contain spaces.
    .update(`${before} ${id} ${at} ${kind} ${record_id} ${parent_id} ${actor_id} ${credential_id} ${request_id}`)
    .digest('hex')
