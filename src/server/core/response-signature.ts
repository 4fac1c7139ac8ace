import { hash } from 'node:crypto'
import { signedText } from '../../contract/envelope.ts'
import type { HmacKey } from './hmac-key.ts'

/** Lower-case hex SHA-256 of the JSON text of `data`, which is what gets signed. */
export const digestOf = (dataText: string): string => hash('sha256', dataText)

/** `system.signature` of a response: 40 hex digits. */
export const signatureOf = (key: HmacKey, responseCode: number, createdAt: string, digest: string): string =>
  key.digest(signedText(responseCode, createdAt, digest)).slice(0, 40)
