import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The floor of warm reads: bare `node:http` that sends what Summit sends, from memory.
 * Arguments: the address of a Summit, and a file with a path a line.
 */
const [origin = '', list = ''] = process.argv.slice(2)
const answers = new Map<string, Buffer>()
for (const path of readFileSync(list, 'utf8').trim().split('\n'))
  answers.set(path, Buffer.from(await (await fetch(origin + path)).arrayBuffer()))

const server = createServer((request, response) => {
  const body = answers.get(request.url ?? '')
  if (!body) return void response.writeHead(404).end()
  response
    .writeHead(200, {
      vary: 'Accept',
      'content-type': 'application/json; charset=UTF-8',
      'content-length': body.length,
    })
    .end(body)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
