import type { Context } from '../context.ts'
import { envelope, successMessage } from '../core/envelope.ts'

/** The JSON text of a successful response that is not cached. @param dataText JSON text of its data */
export const signedEnvelope = (
  { signatureKey, timestamp, clock }: Context,
  responseCode: number,
  dataText: string,
): string => envelope(signatureKey, responseCode, dataText, timestamp(clock()), successMessage(responseCode))
