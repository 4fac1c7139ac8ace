import { type IncomingMessage, request as openRequest } from 'node:http'
import type { OperationName, SpecifiedOperationName } from '../../src/contract/index.ts'
import { pathOf } from '../../src/contract/operation.ts'
import type { TestApp } from '../app.ts'
import { pairsOf } from '../http/form-pairs.ts'
import { type Example, examples, type Members, operationOf } from './examples.ts'

export interface TestRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

export interface TestResponse {
  status: number
  /** The values of all headers of a name, in the order in which they were sent. */
  header(name: string): string[]
  bytes: Buffer
}

/** Sends one request exactly as given, over a connection of its own. */
export async function send(t: TestApp, { method, path, headers = {}, body }: TestRequest): Promise<TestResponse> {
  const { hostname, port, pathname } = new URL(t.url)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const target = pathname.replace(/\/$/, '') + path
    const request = openRequest(
      { hostname, port, method, path: target, headers, agent: false, timeout: 5_000 },
      resolve,
    )
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`no response to ${method} ${path}`)))
    request.end(body)
  })
  const lines = Array.from({ length: response.rawHeaders.length / 2 }, (_, index) =>
    response.rawHeaders.slice(2 * index, 2 * index + 2),
  )
  return {
    status: response.statusCode ?? 0,
    header: (name) => lines.flatMap(([line, value]) => (line?.toLowerCase() === name ? [value ?? ''] : [])),
    bytes: Buffer.concat(await response.toArray()),
  }
}

/** The example of an operation as a request, with some of its parameters or its body replaced. */
export const requestFor = (name: SpecifiedOperationName, { params, body }: Example = {}): TestRequest =>
  requestOf(name, { params: { ...examples[name].params, ...params }, body: body ?? examples[name].body ?? {} })

/** A request to an operation. */
export function requestOf(name: OperationName, { params = {}, body = {} }: Example): TestRequest {
  const operation = operationOf(name)
  return {
    method: operation.method,
    path: pathOf(operation, params),
    ...(operation.body && encodings.json(body)),
  }
}

/** The three encodings of a body. */
export const encodings = {
  json: (members: Members) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  }),
  urlencoded: (members: Members) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(pairsOf(members)).toString(),
  }),
  multipart: (members: Members) => multipart(pairsOf(members)),
}

export const fileContent = 'Grüße'

/** @param pairs fields and files; each file is sent with {@link fileContent} */
export function multipart(pairs: [string, string | File][]): { headers: Record<string, string>; body: Uint8Array } {
  const part = ([name, value]: [string, string | File]) =>
    typeof value === 'string'
      ? `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      : `--frontier\r\nContent-Disposition: form-data; name="${name}"; filename="${value.name}"\r\n` +
        `Content-Type: ${value.type}\r\n\r\n${fileContent}\r\n`
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
    body: Buffer.from(`${pairs.map(part).join('')}--frontier--\r\n`),
  }
}
