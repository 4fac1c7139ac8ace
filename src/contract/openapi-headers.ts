/** The response headers of interest to clients, as OpenAPI header objects. */
export const headers = {
  'Request-Id': {
    description: 'Names this answer in the log of the server.',
    schema: { type: 'string' },
    example: '54511ebd-0a3c-4e0d-9f0f-6f3a0d9a3b1c',
  },
  'Retry-After': {
    description: 'With a failure after which trying again may help: in how many seconds.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Idempotency-Replayed': {
    description: 'There when this was done before, by the first request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description: 'Names these bytes; send it back in `If-None-Match` or `If-Range`.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015"',
  },
  'Content-Range': {
    description: 'Which of the bytes these are, and how many there are.',
    schema: { type: 'string' },
    example: 'bytes 0-499/1234',
  },
} as const

/** References to these headers, for the `headers` of a response. */
export const headerReferences = (...names: (keyof typeof headers)[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
