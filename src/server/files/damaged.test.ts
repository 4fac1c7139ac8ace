import { once } from 'node:events'
import { appendFile, mkdir, rm, stat, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { exchange } from '../../../test/exchange.ts'
import { keptS3 } from '../../../test/kept-s3.ts'
import * as make from '../../../test/make.ts'

// A stored file that is not as long as its record says must not shift what follows on its connection.

/** Attaches a file to a new topic. @returns the path of its address */
async function upload(t: TestApp, bytes: Buffer): Promise<string> {
  const files = [new File([new Uint8Array(bytes)], 'a.txt')]
  const { NewsFeed } = await t.client.createTopic({ name: 'Lunch', created_by: 1 }, { files })
  return new URL(make.only(make.only(NewsFeed).content.uploaded_files).link).pathname
}

const ask = (path: string, method = 'GET', more = '') => `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

/** The bodies of responses as a client reads them, one after the other, each as long as its head says. */
function bodiesOf(heard: string, isHead: boolean): string[] {
  const bodies: string[] = []
  for (let rest = heard; rest !== ''; ) {
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
  'the whole': ['GET', ''],
  'a part': ['GET', 'Range: bytes=0-1\r\n'],
  'the last bytes': ['GET', 'Range: bytes=4-\r\n'],
  'the headers': ['HEAD', ''],
} as const

const cases = (Object.keys(damages) as (keyof typeof damages)[]).flatMap((damage) =>
  (Object.keys(requests) as (keyof typeof requests)[]).map((asked) => [damage, asked] as const),
)

/** Asks for the file and, on the same connection, for something else. */
async function expectFailureThenHealth(t: TestApp, path: string, asked: keyof typeof requests): Promise<void> {
  const [method, more] = requests[asked]
  const heard = await exchange(t, ask(path, method, more) + ask('/healthz'))
  expect(heard).not.toMatch(/etag|content-range|attachment/i)
  const [failure, health, ...others] = bodiesOf(heard, method === 'HEAD')
  if (method === 'GET') expect(JSON.parse(failure ?? '')[0]).toMatchObject({ response_code: 5000 })
  else expect(heard).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: application\/json/i)
  expect(health).toBe('{"status":"ok"}')
  expect(others).toEqual([])
}

const counted = async (t: TestApp) =>
  /^summit_damaged_file_reads_total.*[1-9]$/m.exec(await (await fetch(`${t.url}/metrics`)).text())?.[0]

test.each(cases)('of a file that was %s, %s is a failure, and the next response is right', async (damage, asked) => {
  await using t = await testApp()
  const path = await upload(t, Buffer.from('Hello'))
  const [file = ''] = await make.blobs(t)
  await damages[damage].onDisk(file)

  await expectFailureThenHealth(t, path, asked)

  const problem = damage === 'removed' ? 'missing' : 'wrong_size'
  expect(await counted(t)).toBe(`summit_damaged_file_reads_total{problem="${problem}"} 1`)
  expect((await fetch(`${t.url}/readyz`)).status).toBe(200)
})

test.each(cases)('in S3: of an object that was %s, %s is a failure', async (damage, asked) => {
  await using s3 = await keptS3()
  await using t = await testApp({ BLOBS_URL: s3.url })
  const path = await upload(t, Buffer.from('Hello'))
  expect(await (await fetch(t.url + path)).text()).toBe('Hello')
  const [[key, bytes]] = [...s3.objects] as [[string, Buffer]]
  const damaged = damages[damage].of(bytes)
  if (damaged) s3.objects.set(key, damaged)
  else s3.objects.delete(key)

  await expectFailureThenHealth(t, path, asked)
})

test('in S3 a part is served as what was asked for', async () => {
  await using s3 = await keptS3()
  await using t = await testApp({ BLOBS_URL: s3.url })
  const path = await upload(t, Buffer.from('0123456789'))
  const response = await fetch(t.url + path, { headers: { range: 'bytes=4-6' } })
  expect([response.status, await response.text()]).toEqual([206, '456'])
})

const mebibyte = 1024 * 1024
const sizeOfLarge = 16 * mebibyte

/** Asks for a large file, has it damaged once its first bytes are there, and reads on. @returns all that comes back */
async function readWhile(t: TestApp, path: string, damage: () => Promise<void>): Promise<string> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
  socket.write(ask(path) + ask('/healthz', 'GET', 'Connection: close\r\n'))
  await once(socket, 'readable')
  await damage()
  return Buffer.concat(await socket.toArray()).toString('latin1')
}

test('a file that is cut short while it is read ends the connection', async () => {
  await using t = await testApp()
  const path = await upload(t, Buffer.alloc(sizeOfLarge, 'a'))
  const [file = ''] = await make.blobs(t)

  const heard = await readWhile(t, path, () => truncate(file, sizeOfLarge - mebibyte))

  expect(heard).toContain(`content-length: ${sizeOfLarge}`)
  expect(heard.length).toBeLessThan(sizeOfLarge)
  expect(heard).not.toContain('status')
  expect(await counted(t)).toBe('summit_damaged_file_reads_total{problem="wrong_size"} 1')
})

test('a file that grows while it is read is sent as long as was announced', async () => {
  await using t = await testApp()
  const path = await upload(t, Buffer.alloc(sizeOfLarge, 'a'))
  const [file = ''] = await make.blobs(t)

  const [large, health, ...others] = bodiesOf(await readWhile(t, path, () => appendFile(file, forged)), false)

  expect(large).toBe('a'.repeat(sizeOfLarge))
  expect(health).toBe('{"status":"ok"}')
  expect(others).toEqual([])
})

test('a stored file whose first byte cannot be read is a failure without the headers of the file', async () => {
  await using t = await testApp()
  const path = await upload(t, Buffer.from('0123456789'))
  const { blob_key } = await t.ctx.database.read.selectFrom('file').select('blob_key').executeTakeFirstOrThrow()
  const file = join(t.dataDir, 'blobs', 'kept', blob_key)
  await rm(file)
  // Can be opened, is as long as its record says, and cannot be read.
  await mkdir(file)
  const { size } = await stat(file)
  await t.ctx.database.transaction((tx) => tx.updateTable('file').set({ size }).execute())
  for (const range of ['', 'Range: bytes=1-2\r\n']) {
    const heard = await exchange(t, ask(path, 'GET', range) + ask('/healthz'))
    expect(heard).toContain('"response_code":5000')
    expect(heard).not.toMatch(/etag|content-range|accept-ranges|attachment/i)
    expect(heard).toContain('{"status":"ok"}')
  }
})
