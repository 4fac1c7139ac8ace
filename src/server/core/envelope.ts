import { hash } from 'node:crypto'
import { redirectUrlOfDelete, responseCodes, signedText } from '../../contract/envelope.ts'
import type { HmacKey } from './hmac-key.ts'

/** Lower-case hex SHA-256 of the JSON text of `data`, which is what gets signed. */
export const digestOf = (dataText: string): string => hash('sha256', dataText)

/** `system.signature` of a response: 40 hex digits. */
export const signatureOf = (key: HmacKey, responseCode: number, createdAt: string, digest: string): string =>
  key.digest(signedText(responseCode, createdAt, digest)).slice(0, 40)

/**
 * Wraps the JSON text of `data` in a signed envelope.
 * @param createdAt formatted time of the response
 */
export function envelope(key: HmacKey, responseCode: number, dataText: string, createdAt: string, message: string) {
  const signature = signatureOf(key, responseCode, createdAt, digestOf(dataText))
  const redirect = responseCode === responseCodes.deleted ? `,"redirect_url":${redirectUrlOfDelete}` : ''
  return (
    `[{"response_code":${responseCode},"data":${dataText},` +
    `"system":{"created_at":"${createdAt}","signature":"${signature}","message":${JSON.stringify(message)}${redirect}}}]`
  )
}

/** `system.message` of a successful response. */
export const successMessage = (responseCode: number): string =>
  responseCode === responseCodes.deleted ? 'Redirected' : 'Success'

/** `Vary` of every response: a failure may be `application/problem+json`. */
export const varyByAccept = 'Accept'

/** The headers of every JSON response. */
export const jsonHeaders = { vary: varyByAccept, 'content-type': 'application/json; charset=UTF-8' } as const

/** `Vary` where a response depends on who is signed in. */
export const varyBySender = 'Accept, Authorization, Cookie'
