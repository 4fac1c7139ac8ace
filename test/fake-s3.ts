import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in place of S3, and the `BLOBS_URL` for it; stopped when the test ends (`await using`). */
export async function startFakeS3(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener)
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

/** Refuses every request. */
export const startRefusingS3 = () => startFakeS3((_, response) => response.writeHead(403).end(refusal))
