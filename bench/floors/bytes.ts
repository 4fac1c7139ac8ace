import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The floor for responses that Summit sends from memory: bare `node:http` that sends the same bytes.
 * Arguments: the address of a running Summit, and a file with one path per line.
 */
const [origin = '', list = ''] = process.argv.slice(2)
const responses = new Map<string, { type: string; body: Buffer }>()
for (const path of readFileSync(list, 'utf8').trim().split('\n')) {
  const response = await fetch(origin + path)
  const body = Buffer.from(await response.arrayBuffer())
  responses.set(path, { type: response.headers.get('content-type') ?? '', body })
}

const server = createServer((request, response) => {
  const stored = responses.get(request.url ?? '')
  if (!stored) return void response.writeHead(404).end()
  const { type, body } = stored
  response.writeHead(200, { vary: 'Accept', 'content-type': type, 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
