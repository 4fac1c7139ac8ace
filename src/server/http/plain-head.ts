import { jsonHeaders } from './envelope.ts'

const { vary, 'content-type': type } = jsonHeaders

/** The headers of an answer in JSON as `writeHead` takes them: names and values in turns. @param more others */
export const plainHead = (requestId: string, length: number, more: string[] = []): (string | number)[] => [
  'request-id',
  requestId,
  ...more,
  'vary',
  vary,
  'content-type',
  type,
  'content-length',
  length,
]
