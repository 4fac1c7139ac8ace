import { once } from 'node:events'
import { createServer, get, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createCorsResponse } from './cors-response.ts'

/** The status line and headers of a response, in their order, without those of the connection. */
async function readHead(listener: RequestListener, options: { ServerResponse?: typeof ServerResponse }) {
  const server = createServer(options, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response')
  response.resume()
  server.close()
  const { statusMessage, rawHeaders } = response
  const lines = Array.from(
    { length: rawHeaders.length / 2 },
    (_, index) => `${rawHeaders[2 * index]}: ${rawHeaders[2 * index + 1]}`,
  )
  return [statusMessage, ...lines.filter((line) => !/^(date|connection|transfer-encoding): /i.test(line)).sort()]
}

const cookies = ['Set-Cookie: a=1', 'Set-Cookie: b=2']

test.each<[string, (response: ServerResponse) => ServerResponse]>([
  ['an array', (response) => response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'] })],
  ['a list', (response) => response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])],
  ['a list of an array', (response) => response.writeHead(200, ['Set-Cookie', ['a=1', 'b=2']])],
  [
    'a list that replaces one',
    (response) => response.setHeader('Set-Cookie', 'c=3').writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']),
  ],
  ['headers set before', (response) => response.setHeader('Set-Cookie', ['a=1', 'b=2']).writeHead(200, 'Fine')],
  [
    'both, and a number',
    (response) => response.setHeader('Set-Cookie', ['a=1', 'b=2']).writeHead(200, 'Fine', { 'Content-Length': 0 }),
  ],
])('a server with CORS sends every repeated header of %s, as one without', async (_, writeHead) => {
  const listener: RequestListener = (_request, response) => void writeHead(response).end()
  const plain = await readHead(listener, {})
  expect(plain).toEqual(expect.arrayContaining(cookies))
  const withCors = await readHead(listener, {
    ServerResponse: createCorsResponse({ corsOrigins: new Set(['https://app.example']), access: 'open' }),
  })
  expect(withCors).toEqual([...plain, 'vary: Origin'])
})
