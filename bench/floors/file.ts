import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The floor of files: bare `node:http` that streams one. Argument: the file. */
const [file = ''] = process.argv.slice(2)
const { size } = statSync(file)

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': size })
  createReadStream(file).pipe(response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
