import { connect } from 'node:net'
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'
import * as make from '../make.ts'

const createPath = '/api/newsfeeds/topics/create'

export const head = (type: string, framing: string, path = createPath) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`

export const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

export function open(t: TestApp) {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    .setNoDelay()
    .setEncoding('latin1')
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  // The server may reset a connection that is still sending.
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', resolve))
  return Object.assign(socket, { received: () => received, ended, [Symbol.dispose]: () => void socket.destroy() })
}

export const chunked = (pieces: Iterable<string>) =>
  Array.from(pieces, (piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')

/** More than the kernel buffers for a server that does not read: 18 MB as chunks of one byte. */
export const manyChunks = Buffer.from('1\r\nx\r\n'.repeat(3_000_000))

/** Sends a body that begins with `start`, then one byte in each chunk. */
export async function expectChunksRefused(t: TestApp, type: string, start: string): Promise<void> {
  using socket = open(t)
  socket.write(head(type, 'Transfer-Encoding: chunked') + chunked(start))
  socket.write(manyChunks)
  await socket.ended
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(socket.received()).toContain('"response_code":4130')
  expect(socket.received()).toMatch(/^connection: close\r$/im)
  expect(socket.received()).not.toMatch(/^retry-after/im)
  expect(socket.received().match(/^HTTP/gm)).toHaveLength(1)
  expect(await make.blobs(t)).toEqual([])
  await make.topic(t)
}
