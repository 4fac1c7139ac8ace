import { once } from 'node:events'
import { appendFile, mkdir, rm, stat, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { startInMemoryS3 } from '../../../../test/in-memory-s3.ts'
import * as make from '../../../../test/make.ts'
import { sendRawRequests } from '../../../../test/send-raw-requests.ts'

/** A whole response of `/healthz`, and nothing else. */
const healthy = /^\{"status":"ok","version":"[^"]+","summit":"[0-9a-f]{32}"\}$/

// A stored file whose length differs from its record must not corrupt the next response on the connection.

/** Attaches a file to a new topic. @returns the path of its URL */
async function upload(t: TestApp, bytes: Buffer): Promise<string> {
  const files = [new File([new Uint8Array(bytes)], 'a.txt')]
  const { NewsFeed } = await t.client.createTopic({ name: 'Lunch', created_by: 1 }, { files })
  return new URL(make.only(make.only(NewsFeed).content.uploaded_files).link).pathname
}

const requestText = (path: string, method = 'GET', headers = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`

/** Splits received text into response bodies, each as long as its Content-Length. */
function bodiesOf(received: string, isHead: boolean): string[] {
  const bodies: string[] = []
  for (let rest = received; rest !== ''; ) {
    expect(rest).toMatch(/^HTTP\/1\.1 \d{3} /)
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const length = isHead && bodies.length === 0 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1])
    rest = rest.slice(head.length + 4)
    bodies.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return bodies
}

const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged'

const damages = {
  'cut short': { onDisk: (path: string) => truncate(path, 3), of: (bytes: Buffer) => bytes.subarray(0, 3) },
  emptied: { onDisk: (path: string) => truncate(path, 0), of: () => Buffer.of() },
  'made longer': {
    onDisk: (path: string) => appendFile(path, forged),
    of: (bytes: Buffer) => Buffer.concat([bytes, Buffer.from(forged)]),
  },
  removed: { onDisk: (path: string) => rm(path), of: () => undefined },
}

const requests = {
  'the whole file': ['GET', ''],
  'a part': ['GET', 'Range: bytes=0-1\r\n'],
  'the last bytes': ['GET', 'Range: bytes=4-\r\n'],
  'the headers': ['HEAD', ''],
} as const

const kindsOfDamage = Object.keys(damages) as (keyof typeof damages)[]

/** Requests the file in each way and, on the same connection, another resource. */
async function expectFailuresThenHealth(t: TestApp, path: string): Promise<void> {
  for (const [requested, [method, headers]] of Object.entries(requests)) {
    const received = await sendRawRequests(t, requestText(path, method, headers) + requestText('/healthz'))
    expect(received, requested).not.toMatch(/etag|content-range|attachment/i)
    const [failure, health, ...others] = bodiesOf(received, method === 'HEAD')
    if (method === 'GET') expect(JSON.parse(failure ?? '')[0], requested).toMatchObject({ response_code: 5000 })
    else expect(received, requested).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: application\/json/i)
    expect(health, requested).toMatch(healthy)
    expect(others, requested).toEqual([])
  }
}

const damagedReadsMetric = async (t: TestApp) =>
  /^summit_damaged_file_reads_total.*[1-9]$/m.exec(await (await fetch(`${t.url}/metrics`)).text())?.[0]

test.each(kindsOfDamage)(
  'with a file that was %s, any request for it fails and the next response on the connection is intact',
  async (damage) => {
    await using t = await startTestApp()
    const path = await upload(t, Buffer.from('Hello'))
    const [file = ''] = await make.blobs(t)
    await damages[damage].onDisk(file)

    await expectFailuresThenHealth(t, path)

    const problem = damage === 'removed' ? 'missing' : 'wrong_size'
    const count = Object.keys(requests).length
    expect(await damagedReadsMetric(t)).toBe(`summit_damaged_file_reads_total{problem="${problem}"} ${count}`)
    expect((await fetch(`${t.url}/readyz`)).status).toBe(200)
  },
)

test.each(kindsOfDamage)('with an S3 object that was %s, any request for it fails', async (damage) => {
  await using s3 = await startInMemoryS3()
  await using t = await startTestApp({ BLOBS_URL: s3.url })
  const path = await upload(t, Buffer.from('Hello'))
  expect(await (await fetch(t.url + path)).text()).toBe('Hello')
  const [[key, bytes]] = [...s3.objects] as [[string, Buffer]]
  const damaged = damages[damage].of(bytes)
  if (damaged) s3.objects.set(key, damaged)
  else s3.objects.delete(key)

  await expectFailuresThenHealth(t, path)
})

test('a range of an S3 object is served', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startTestApp({ BLOBS_URL: s3.url })
  const path = await upload(t, Buffer.from('0123456789'))
  const response = await fetch(t.url + path, { headers: { range: 'bytes=4-6' } })
  expect([response.status, await response.text()]).toEqual([206, '456'])
})

const mebibyte = 1024 * 1024
const sizeOfLarge = 16 * mebibyte

/** Requests a large file, damages it after its first bytes arrive, and reads on. @returns everything received */
async function readWhileDamaging(t: TestApp, path: string, damage: () => Promise<void>): Promise<string> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
  socket.write(requestText(path) + requestText('/healthz', 'GET', 'Connection: close\r\n'))
  await once(socket, 'readable')
  await damage()
  return Buffer.concat(await socket.toArray()).toString('latin1')
}

test('a file that is truncated while it is read ends the connection', async () => {
  await using t = await startTestApp()
  const path = await upload(t, Buffer.alloc(sizeOfLarge, 'a'))
  const [file = ''] = await make.blobs(t)

  const received = await readWhileDamaging(t, path, () => truncate(file, sizeOfLarge - mebibyte))

  expect(received).toContain(`content-length: ${sizeOfLarge}`)
  expect(received.length).toBeLessThan(sizeOfLarge)
  expect(received).not.toContain('status')
  expect(await damagedReadsMetric(t)).toBe('summit_damaged_file_reads_total{problem="wrong_size"} 1')
})

test('a file that grows while it is read is sent with the announced length', async () => {
  await using t = await startTestApp()
  const path = await upload(t, Buffer.alloc(sizeOfLarge, 'a'))
  const [file = ''] = await make.blobs(t)

  const [large, health, ...others] = bodiesOf(await readWhileDamaging(t, path, () => appendFile(file, forged)), false)

  expect(large).toBe('a'.repeat(sizeOfLarge))
  expect(health).toMatch(healthy)
  expect(others).toEqual([])
})

test('a stored file whose first byte cannot be read is a failure without the headers of the file', async () => {
  await using t = await startTestApp()
  const path = await upload(t, Buffer.from('0123456789'))
  const { blob_key } = await t.ctx.database.read.selectFrom('file').select('blob_key').executeTakeFirstOrThrow()
  const file = join(t.dataDir, 'blobs', 'kept', blob_key)
  await rm(file)
  // Can be opened, is as long as its record says, and cannot be read.
  await mkdir(file)
  const { size } = await stat(file)
  await t.ctx.database.transaction((tx) => tx.updateTable('file').set({ size }).execute())
  for (const range of ['', 'Range: bytes=1-2\r\n']) {
    const received = await sendRawRequests(t, requestText(path, 'GET', range) + requestText('/healthz'))
    expect(received).toContain('"response_code":5000')
    expect(received).not.toMatch(/etag|content-range|accept-ranges|attachment/i)
    expect(received.split('\r\n\r\n').at(-1)).toMatch(healthy)
  }
})
