import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseBlobTarget } from '../../src/server/storage/blobs/blob-target.ts'
import { openBlobs } from '../../src/server/storage/blobs/open.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { type Radosgw, radosgwMissing, startRadosgw } from '../radosgw.ts'
import { type ProxyFault, startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import { waitUntil } from '../wait-until.ts'
import { createDataFolder } from './create-data-folder.ts'
import { startServer } from './server-process.ts'

/** The whole service while its S3 is away (the bar, reliability 7). */

let s3: Radosgw | undefined

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)
else {
  beforeAll(async () => {
    s3 = await startRadosgw()
    await s3.createBucket('summit')
  })
  afterAll(() => s3?.[Symbol.asyncDispose]())
}

const outages: ProxyFault[] = ['refuse', 'black hole', 'reset', 'slow', '500', 'truncate', 'lose responses']
/** During these, an upload waits until its time is up. */
const blockingOutages: ProxyFault[] = ['black hole', 'slow', 'lose responses']

const it = test.skipIf(radosgwMissing !== undefined)

/** Below a prefix of its own. */
function blobsUrl(endpoint: string, prefix: string): string {
  const credentials = `${s3?.accessKeyId}:${s3?.secretAccessKey}`
  return `s3://${credentials}@summit/${prefix}?endpoint=${encodeURIComponent(endpoint)}`
}

async function throughProxy(): Promise<TcpProxy> {
  if (!s3) throw new Error('no S3')
  return startTcpProxy(s3.port)
}

async function topicWithFiles(url: string, count: number, size: number): Promise<number> {
  const form = new FormData()
  form.append('name', 'x')
  form.append('created_by', '1')
  for (let at = 0; at < count; at++)
    form.append('uploaded_files', new File([Buffer.alloc(size, 'summit')], `${at}.txt`, { type: 'text/plain' }))
  const response = await fetch(`${url}/api/newsfeeds/topics/create`, { method: 'POST', body: form })
  const [{ response_code: code }] = (await response.json()) as [{ response_code: number }]
  return code
}

describe('an S3 that is away', () => {
  it.each(outages)('(%s) fails uploads and nothing else', async (fault) => {
    await using proxy = await throughProxy()
    await using t = await startTestApp({ BLOBS_URL: blobsUrl(proxy.url, fault.replace(' ', '-')) })
    const upload = () => topicWithFiles(t.url, 1, 1_000_000)
    const bytesOf = async (id: number) =>
      (await (await fetch(`${t.url}/api/newsfeeds/files/${id}/a.txt`)).arrayBuffer()).byteLength
    expect(await upload()).toBe(1000)
    expect(await bytesOf(1)).toBe(1_000_000)

    await proxy.setFault(fault)
    const before = proxy.connections()
    let pending = 3
    const uploads = Promise.all([1, 2, 3].map(() => upload().finally(() => pending--)))
    const isBlocking = blockingOutages.includes(fault)
    if (isBlocking) await waitUntil('an upload has connected', () => proxy.connections() > before)
    for (let at = 0; at < 10; at++) {
      const topic = await make.topic(t)
      await t.client.getTopic({ topic_id: Number(topic.id) })
    }
    if (isBlocking) expect(pending).toBe(3)
    expect(await uploads).toEqual([5030, 5030, 5030])
    await proxy.setFault(undefined)
    expect(await upload()).toBe(1000)
    const rows = await t.ctx.database.read.selectFrom('file').selectAll().execute()
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(await bytesOf(Number(row.id))).toBe(1_000_000)
  })

  it('fails a request of several files in time, even if it takes each of them slowly', async () => {
    await using proxy = await throughProxy()
    await using t = await startTestApp({ BLOBS_URL: blobsUrl(proxy.url, 'several') })
    await proxy.setFault('late responses')
    expect(await topicWithFiles(t.url, 1, 100)).toBe(1000)
    expect(await topicWithFiles(t.url, 6, 100)).toBe(5030)
  })
})

it('a server that is killed between the object and the row leaves neither, once it runs again', async () => {
  await using folder = await createDataFolder()
  await using proxy = await throughProxy()
  const pastProxy = await openBlobs(parseBlobTarget(blobsUrl(s3?.url ?? '', 'killed')), `${folder.dir}/past`, () => {})
  const hasObjects = (count: number) => async () => (await Array.fromAsync(pastProxy.list())).length === count
  const settings = { BLOBS_URL: blobsUrl(proxy.url, 'killed') }
  {
    await using server = await startServer(folder.dir, settings)
    expect(await topicWithFiles(server.url, 1, 100)).toBe(1000)
    await proxy.setFault('lose responses')
    const lost = topicWithFiles(server.url, 1, 100).catch(() => 'lost')
    await waitUntil('the object is stored', hasObjects(2))
    await server.kill('SIGKILL')
    expect(await lost).toBe('lost')
  }
  await proxy.setFault(undefined)
  await using server = await startServer(folder.dir, settings)
  await waitUntil('the object is removed', hasObjects(1))
  expect(await (await fetch(`${server.url}/api/newsfeeds/files/1/0.txt`)).text()).toHaveLength(100)
  await pastProxy.close()
})
