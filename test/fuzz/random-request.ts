import fc from 'fast-check'
import { type OperationName, operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { bodyFor } from './bodies.ts'
import { headers, segment } from './heads.ts'

const names = Object.keys(operations) as OperationName[]

export interface RandomRequest {
  name: OperationName
  head: string
  body: Buffer
  /** Whether the head may be too long or have wrong framing. The server may then reject it as no HTTP, or wait. */
  isWild: boolean
}

// Deletes are rare, so that most records still exist.
const weights = names.map((name) => ({ weight: name.startsWith('delete') ? 1 : 6, arbitrary: fc.constant(name) }))

export const randomRequest = fc.oneof(...weights).chain((name): fc.Arbitrary<RandomRequest> => {
  const operation: Operation = operations[name]
  const params = Object.keys(operation.params.properties)
  const body = operation.body ? bodyFor(operation) : fc.constant(undefined)
  return fc.tuple(fc.tuple(...params.map(() => segment)), headers, body).map(([segments, [ordinary, odd], encoded]) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, param: string) => segments[params.indexOf(param)] ?? '')
    const lines = [
      `${operation.method} ${path} HTTP/1.1`,
      ...['Host: a', 'Connection: close'],
      ...(encoded ? [`Content-Type: ${encoded.type}`, `Content-Length: ${encoded.body.length}`] : []),
      ...[...ordinary, ...odd].map(([header, value]) => `${header}: ${value}`),
    ]
    return {
      name,
      head: lines.join('\r\n'),
      body: encoded?.body ?? Buffer.of(),
      isWild: odd.length > 0 || lines.join('').length > 8_000,
    }
  })
})
