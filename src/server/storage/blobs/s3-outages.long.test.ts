import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Radosgw, radosgwMissing, startRadosgw } from '../../../../test/radosgw.ts'
import { type ProxyFault, startTcpProxy, type TcpProxy } from '../../../../test/tcp-proxy.ts'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import type { BlobStore, OpenBlob } from './blob-store.ts'
import { parseS3Url } from './blob-target.ts'
import { openS3Blobs } from './s3.ts'
import { S3Error } from './s3-client.ts'

/** An S3 that is unavailable in various ways. */

const mebibyte = 1024 * 1024
const maxMs = 10_000
const removeOrphansAfterMs = 300

let s3: Radosgw | undefined

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)
else {
  beforeAll(async () => {
    s3 = await startRadosgw()
  })
  afterAll(() => s3?.[Symbol.asyncDispose]())
}

interface Fixture extends AsyncDisposable {
  /** Connects to S3 through `proxy`. */
  blobs: BlobStore
  proxy: TcpProxy
  /** Connects to the same bucket directly, and shows its real content. */
  direct: BlobStore
  url: string
  dir: string
  staging(): Promise<string[]>
}

async function fixture(): Promise<Fixture> {
  if (!s3) throw new Error('no S3')
  const folder = await createTemporaryFolder()
  const proxy = await startTcpProxy(s3.port)
  const bucket = `summit-${randomUUID()}`
  await s3.createBucket(bucket)
  const through = (endpoint: string) =>
    `s3://${s3?.accessKeyId}:${s3?.secretAccessKey}@${bucket}?endpoint=${encodeURIComponent(endpoint)}`
  const dir = join(folder.path, 'blobs')
  const url = through(proxy.url)
  return {
    blobs: await openS3Blobs(parseS3Url(url), dir, { removeOrphansAfterMs }),
    direct: await openS3Blobs(parseS3Url(through(s3.url)), join(folder.path, 'other')),
    proxy,
    url,
    dir,
    staging: async () => {
      const entries = await readdir(join(dir, 'staging'), { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await folder.remove()
    },
  }
}

const stage = (blobs: BlobStore, size: number) => blobs.stage([Buffer.alloc(size, 'summit')], size)
const store = async (blobs: BlobStore, key: string, size: number) => (await stage(blobs, size)).store(key)
const keysOf = async (blobs: BlobStore) => (await Array.fromAsync(blobs.list(), ({ key }) => key)).sort()

/** The error of `work`, and the time until it failed. */
async function failureOf(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const startedAt = performance.now()
  try {
    await work
  } catch (error) {
    return { error, ms: performance.now() - startedAt }
  }
  throw new Error('It did not fail')
}

async function expectUnavailable(work: Promise<unknown>, ms = maxMs): Promise<void> {
  const failed = await failureOf(work)
  expect(failed.error).toMatchObject({ reason: 'UNAVAILABLE' })
  expect(failed.ms).toBeLessThan(ms)
}

const outages: ProxyFault[] = [
  'refuse',
  'black hole',
  'reset',
  'slow',
  '500',
  'truncate',
  'damage',
  'lose responses',
  'truncate responses',
]
const outagesOfReads: ProxyFault[] = ['refuse', 'black hole', '500', 'lose responses', 'truncate responses']

describe.concurrent('an S3 that is unavailable', () => {
  const it = test.skipIf(radosgwMissing !== undefined)

  it.for(outages)(
    '(%s) fails uploads in time, without leaving objects, and is used again when it is back',
    async (fault) => {
      await using t = await fixture()
      await store(t.blobs, 'files/before', mebibyte)
      const staged = await Promise.all([1, 2, 3, 4].map(() => stage(t.blobs, mebibyte)))
      await t.proxy.setFault(fault)

      await Promise.all(staged.map((blob, at) => expectUnavailable(blob.store(`files/during/${at}`))))

      expect(await t.staging()).toEqual([])
      await t.proxy.setFault(undefined)
      await store(t.blobs, 'files/after', mebibyte)
      await waitUntil('the others are removed', async () => (await keysOf(t.direct)).length === 2)
      expect(await keysOf(t.blobs)).toEqual(['files/after', 'files/before'])
      expect(await t.blobs.size('files/before')).toBe(mebibyte)
    },
  )

  it.for(outagesOfReads)('(%s) does not make blobs appear to be missing', async (fault) => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 10)
    await t.proxy.setFault(fault)
    await Promise.all([
      expectUnavailable(t.blobs.size('files/a')),
      expectUnavailable(t.blobs.open('files/a')),
      expectUnavailable(keysOf(t.blobs)),
      expectUnavailable(t.blobs.remove('files/b'), 3_000),
    ])
    await t.proxy.setFault(undefined)
    expect(await t.blobs.size('files/a')).toBe(10)
  })

  it('(refuse) does not prevent a start, and is used when it is back', async () => {
    await using t = await fixture()
    await t.proxy.setFault('refuse')
    const blobs = await openS3Blobs(parseS3Url(t.url), t.dir)
    await expectUnavailable(keysOf(blobs))
    await t.proxy.setFault(undefined)
    await store(blobs, 'files/a', 10)
    expect(await keysOf(blobs)).toEqual(['files/a'])
  })

  it('for a moment does not fail an upload', async () => {
    await using t = await fixture()
    const staged = await stage(t.blobs, mebibyte)
    await t.proxy.setFault('reset once')
    await staged.store('files/a')
    expect(t.proxy.hasFault()).toBe(false)
    expect(await t.direct.size('files/a')).toBe(mebibyte)
  })

  it.for(['truncate responses', 'black hole'] as const)('(%s) in the middle of a read aborts it', async (fault) => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 16 * mebibyte)
    const { bytes } = (await t.blobs.open('files/a')) as OpenBlob
    let size = 0
    const reading = async () => {
      for await (const chunk of bytes) {
        if (size === 0) await t.proxy.setFault(fault)
        size += chunk.length
      }
    }
    const { ms } = await failureOf(reading())
    expect(ms).toBeLessThan(maxMs + 1_000)
    expect(bytes.destroyed).toBe(true)
    expect(size).toBeLessThan(16 * mebibyte)
  })

  it('is not confused with a slow reader', async () => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 16 * mebibyte)
    const { bytes } = (await t.blobs.open('files/a')) as OpenBlob
    let size = 0
    for await (const chunk of bytes) {
      // Longer than the timeout for an S3 that stops sending.
      if (size === 0) await sleep(11_000)
      size += chunk.length
    }
    expect(size).toBe(16 * mebibyte)
  })

  it('(lose responses) may have stored an unconfirmed object, which is not removed if it is stored again', async () => {
    await using t = await fixture()
    await t.proxy.setFault('lose responses')
    // The object is removed soon after the failure, so it is looked for during the upload.
    await Promise.all([
      expectUnavailable(store(t.blobs, 'files/a', 10)),
      waitUntil('the object is stored', async () => (await keysOf(t.direct)).includes('files/a'), maxMs),
    ])
    await t.proxy.setFault(undefined)
    await store(t.blobs, 'files/a', 10)
    // Removals are in order: once this later one is done, none of the first object is pending.
    await t.proxy.setFault('lose responses')
    await expectUnavailable(store(t.blobs, 'files/b', 10))
    await t.proxy.setFault(undefined)
    await waitUntil('the second object is removed', async () => (await keysOf(t.direct)).length === 1)
    expect(await keysOf(t.direct)).toEqual(['files/a'])
  })

  it('(refuse) delays a removal until it is back', async () => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 10)
    await t.proxy.setFault('refuse')
    await expectUnavailable(t.blobs.remove('files/a'))
    await sleep(3 * removeOrphansAfterMs)
    await t.proxy.setFault(undefined)
    await waitUntil('it is removed', async () => (await keysOf(t.direct)).length === 0)
  })

  it('(500) gives a cause with the status, without secrets', async () => {
    await using t = await fixture()
    await t.proxy.setFault('500')
    const { error } = await failureOf(store(t.blobs, 'files/a', 10))
    const logged = inspect(error, { depth: 9, showHidden: true })
    expect(logged).toContain('HTTP 500')
    for (const secret of [s3?.secretAccessKey, s3?.accessKeyId, 'Signature']) expect(logged).not.toContain(secret)
  })
})

describe('an S3 that rejects access', () => {
  const it = test.skipIf(radosgwMissing !== undefined)

  it.each([
    ['a wrong secret', (url: string) => url.replace(/:[0-9a-f]{40}@/, ':wrong@'), 'SignatureDoesNotMatch'],
    ['an unknown key id', (url: string) => url.replace(/\/\/[0-9a-f]{20}:/, '//nobody:'), 'InvalidAccessKeyId'],
    ['no such bucket', (url: string) => url.replace(/@[^?]+/, '@nowhere'), 'NoSuchBucket'],
  ])('because of %s prevents a start', async (_, breakUrl, reason) => {
    await using t = await fixture()
    const { error } = await failureOf(openS3Blobs(parseS3Url(breakUrl(t.url)), t.dir))
    expect(error).toBeInstanceOf(S3Error)
    expect(String(error)).toMatch(
      new RegExp(`^S3Error: S3 rejected access to the bucket \\S+: ${reason} \\(HTTP 40[34]\\)$`),
    )
  })
})

test.skipIf(radosgwMissing !== undefined)('failed uploads leave no file descriptor open', async () => {
  await using t = await fixture()
  const openDescriptors = async () => (await readdir('/proc/self/fd')).length
  await store(t.blobs, 'files/a', mebibyte)
  const before = await openDescriptors()
  await t.proxy.setFault('reset')
  for (let at = 0; at < 30; at++) await expectUnavailable(store(t.blobs, `files/b/${at}`, mebibyte))
  await t.proxy.setFault(undefined)
  await expect.poll(() => openDescriptors()).toBeLessThan(before + 5)
})
