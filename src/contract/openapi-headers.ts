/** The response headers of interest to clients, as OpenAPI header objects. */
export const headers = {
  'Request-Id': {
    description: 'Identifies this request in the server log.',
    schema: { type: 'string' },
    example: '54511ebd-0a3c-4e0d-9f0f-6f3a0d9a3b1c',
  },
  'Retry-After': {
    description: 'Sent with a failure that may be temporary: the number of seconds after which to try again.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Idempotency-Replayed': {
    description: 'Present if an earlier request with the same `Idempotency-Key` has already made this change.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description: 'Identifies this version of the bytes; send it back in `If-None-Match` or `If-Range`.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015"',
  },
  'Content-Range': {
    description: 'The range of bytes in this response, and the number of all bytes.',
    schema: { type: 'string' },
    example: 'bytes 0-499/1234',
  },
} as const

/** References to these headers, for the `headers` of a response. */
export const headerReferences = (...names: (keyof typeof headers)[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
