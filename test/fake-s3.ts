import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What answers as an S3 may, and the `BLOBS_URL` that leads to it; gone when the test ends (`await using`). */
export async function fakeS3(answer: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(answer)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `s3://KEY:geheim@summit?endpoint=http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

export const refusal = '<Error><Code>AccessDenied</Code></Error>'

/** One that refuses all that is asked of it. */
export const refusingS3 = () => fakeS3((_, response) => response.writeHead(403).end(refusal))
