import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

interface Identified extends IncomingMessage {
  requestId?: string
}

/** The id of a request, the same for whoever deals with it: in its answer, its line of the log and the change log. */
export const requestIdOf = (request: Identified): string => {
  request.requestId ??= randomUUID()
  return request.requestId
}
