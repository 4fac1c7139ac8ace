import { jsonHeaders } from './envelope.ts'

const { vary, 'content-type': type } = jsonHeaders

/** The headers of an answer in JSON as `writeHead` takes them: names and values in turns, that of the request first. */
export const plainHead = (requestId: string, length: number): (string | number)[] => [
  'request-id',
  requestId,
  'vary',
  vary,
  'content-type',
  type,
  'content-length',
  length,
]
