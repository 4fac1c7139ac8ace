import { redirectUrlOfDelete, responseCodes } from '../../contract/envelope.ts'
import type { HmacKey } from './hmac-key.ts'
import { digestOf, signatureOf } from './response-signature.ts'

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
