import { createHash, createHmac } from 'node:crypto'
import { redirectUrlOfDelete, responseCodes, signedText } from '../../contract/envelope.ts'

/** Lower-case hex SHA-256 of the JSON text of `data`, as it is signed. */
export const digestOf = (dataText: string): string => createHash('sha256').update(dataText).digest('hex')

/**
 * Puts the JSON text of `data` into its envelope (specification, 2.1), signed (decisions, "Envelope").
 * @param createdAt when the answer is made, printed
 */
export function envelope(key: Buffer, responseCode: number, dataText: string, createdAt: string, message: string) {
  const signature = createHmac('sha256', key)
    .update(signedText(responseCode, createdAt, digestOf(dataText)))
    .digest('hex')
    .slice(0, 40)
  const redirect = responseCode === responseCodes.deleted ? `,"redirect_url":${redirectUrlOfDelete}` : ''
  return (
    `[{"response_code":${responseCode},"data":${dataText},` +
    `"system":{"created_at":"${createdAt}","signature":"${signature}","message":${JSON.stringify(message)}${redirect}}}]`
  )
}

/** What `system.message` says of a success. */
export const successMessage = (responseCode: number): string =>
  responseCode === responseCodes.deleted ? 'Redirected' : 'Success'
