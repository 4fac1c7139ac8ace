import { fakeS3 } from './fake-s3.ts'

/** S3 in memory, whose objects a test can damage. They have the keys of the blobs. */
export async function keptS3(): Promise<{ url: string; objects: Map<string, Buffer> } & AsyncDisposable> {
  const objects = new Map<string, Buffer>()
  const s3 = await fakeS3(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    // After the name of the bucket.
    const key = pathname.split('/').slice(2).join('/')
    if (searchParams.has('list-type')) return response.end(listOf(objects.keys()))
    if (request.method === 'PUT') {
      objects.set(key, Buffer.concat(await request.toArray()))
      return response.end()
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

const listOf = (keys: Iterable<string>): string => {
  const contents = Array.from(
    keys,
    (key) => `<Contents><Key>${key}</Key><LastModified>2030-05-14T09:00:00.000Z</LastModified></Contents>`,
  )
  return `<ListBucketResult>${contents.join('')}</ListBucketResult>`
}
