import type { IncomingMessage } from 'node:http'
import { startFakeS3 } from './fake-s3.ts'

/**
 * S3 in memory, whose objects a test can damage. They have the keys of the blobs.
 * @param isDown asked before each request, which gets 503 if it returns true
 * @param beforeChunk awaited before each chunk of an upload is received
 */
export async function startInMemoryS3(
  isDown: (request: IncomingMessage) => boolean | Promise<boolean> = () => false,
  beforeChunk: () => Promise<unknown> = async () => {},
): Promise<{ url: string; objects: Map<string, Buffer> } & AsyncDisposable> {
  const objects = new Map<string, Buffer>()
  const s3 = await startFakeS3(async (request, response) => {
    if (await isDown(request)) {
      request.resume()
      return response.writeHead(503).end('<Error><Code>ServiceUnavailable</Code></Error>')
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    // After the name of the bucket.
    const key = pathname.split('/').slice(2).join('/')
    if (searchParams.has('list-type')) {
      const prefix = searchParams.get('prefix') ?? ''
      return response.end(listOf([...objects].filter(([name]) => name.startsWith(prefix))))
    }
    if (request.method === 'PUT') {
      const bytes = await receive(request, beforeChunk)
      if (bytes) objects.set(key, bytes)
      return response.end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const object = objects.get(key)
    if (!object) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    const [, start = 0, last = object.length - 1] =
      /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')?.map(Number) ?? []
    if (start >= object.length && request.headers.range)
      return response.writeHead(416).end('<Error><Code>InvalidRange</Code></Error>')
    const bytes = object.subarray(start, last + 1)
    const isRange = request.headers.range !== undefined
    return response
      .writeHead(isRange ? 206 : 200, {
        'content-length': bytes.length,
        ...(isRange && { 'content-range': `bytes ${start}-${start + bytes.length - 1}/${object.length}` }),
      })
      .end(request.method === 'HEAD' ? undefined : bytes)
  })
  return { ...s3, objects }
}

/** @returns undefined if the client ends the request early */
async function receive(request: IncomingMessage, beforeChunk: () => Promise<unknown>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) {
      await beforeChunk()
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

const listOf = (objects: Iterable<[string, Buffer]>): string => {
  const contents = Array.from(
    objects,
    ([key, { length }]) =>
      `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>2030-05-14T09:00:00.000Z</LastModified></Contents>`,
  )
  return `<ListBucketResult>${contents.join('')}</ListBucketResult>`
}
