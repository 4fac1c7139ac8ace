import { connect, type Socket } from 'node:net'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { FailureEnvelope } from '../../src/contract/envelope.ts'
import type { TestApp } from '../app.ts'
import * as make from '../make.ts'
import { setUpSharedApp } from '../shared-app.ts'
import { expectNoCrashes } from './crashes.ts'

export const listPath = '/api/newsfeeds/topics/0/10'
export const createPath = '/api/newsfeeds/topics/create'

/** Most responses take a few milliseconds, but a busy machine may stall for seconds. */
const responseTimeoutMs = 20_000

export interface RawResponse {
  status: number
  headers: string
  body: string
}

/** One server with a topic and an event for all tests of a file, which must not crash it. */
export function setUpSharedRawApp(): () => TestApp {
  expectNoCrashes()
  return setUpSharedApp({}, async (t) => {
    await make.topic(t)
    await make.event(t)
  })
}

export const openSocket = (t: TestApp): Socket => connect(Number(new URL(t.url).port), '127.0.0.1')

/** Sends bytes, or runs functions, in order. @returns the responses until the server ends the connection */
export async function sendRaw(
  t: TestApp,
  ...steps: (string | Buffer | ((socket: Socket) => Promise<void>))[]
): Promise<RawResponse[]> {
  const socket = openSocket(t)
  const received: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    // After its response, a server may reset a connection that is still sending.
    socket.on('error', (error) => (received.length > 0 ? resolve() : reject(error)))
    socket.on('close', () => resolve())
    const fail = () => reject(new Error(`still open: ${Buffer.concat(received).toString().slice(0, 300)}`))
    socket.setTimeout(responseTimeoutMs, fail)
  })
  for (const step of steps) {
    if (typeof step === 'function') await step(socket)
    else socket.write(belowBase(t, step))
  }
  await ended.finally(() => socket.destroy())
  return parseResponses(Buffer.concat(received))
}

/** The API is below the URL of the app, which may be a personal URL. */
export function belowBase({ url }: TestApp, requests: string | Buffer): string | Buffer {
  const { pathname } = new URL(url)
  if (pathname === '/') return requests
  const text = Buffer.from(requests).toString('latin1')
  return Buffer.from(text.replace(/\b[A-Z]{3,9} (?:http:\/\/a)?(?=\/+(?:a|%61)pi)/gi, `$&${pathname}`), 'latin1')
}

function parseResponses(bytes: Buffer): RawResponse[] {
  if (bytes.length === 0) return []
  const end = bytes.indexOf('\r\n\r\n')
  const headers = bytes.subarray(0, end).toString()
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1])
  const length = status === 100 ? 0 : Number(/^content-length: (\d+)$/im.exec(headers)?.[1])
  const rest = bytes.subarray(end + 4)
  return [
    { status, headers, body: rest.subarray(0, length).toString() },
    ...parseResponses(rest.subarray(Math.min(length, rest.length))),
  ]
}

const failure = Compile(FailureEnvelope)

/** The `response_code` of the only response, which must be a legal envelope. */
export function codeOf(responses: RawResponse[]): number {
  const { status, headers, body } = make.only(responses)
  expect(status, headers).toBe(200)
  expect(headers.match(/^vary: .*$/gim)).toEqual([expect.stringMatching(/vary: Accept/i)])
  expect(headers).toMatch(/^content-type: application\/json; charset=UTF-8$/im)
  expect(headers).toMatch(/^request-id: \S+$/im)
  const envelope = JSON.parse(body)
  const { response_code } = envelope[0]
  if (response_code >= 4000) expect(failure.Errors(envelope)).toEqual([])
  return response_code
}

/** The `response_code` of each envelope, or the status of another response. */
export const codesOf = (responses: RawResponse[]): number[] =>
  responses.map((response) => (response.status === 200 ? codeOf([response]) : response.status))

/** The last request of its connection. */
export const requestText = (method: string, path: string, headers: string[] = [], body: string | Buffer = ''): Buffer =>
  Buffer.concat([
    Buffer.from([`${method} ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''].join('\r\n')),
    Buffer.from(body),
  ])

export const postText = (path: string, type: string, body: string | Buffer): Buffer =>
  requestText('POST', path, [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`], body)

/** A request after which the connection stays open. */
export const keepAliveRequestText = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** A body in chunks, with the last one. */
export const chunked = (...pieces: string[]): string =>
  [...pieces, ''].map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('')

export async function expectAlive(t: TestApp): Promise<void> {
  expect(codeOf(await sendRaw(t, requestText('GET', listPath)))).toBe(1000)
}
