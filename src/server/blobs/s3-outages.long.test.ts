import { randomUUID } from 'node:crypto'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Radosgw, radosgwMissing, startRadosgw } from '../../../test/radosgw.ts'
import { type TcpProxy, type Trouble, tcpProxy } from '../../../test/tcp-proxy.ts'
import type { BlobStore, OpenBlob } from './blob-store.ts'
import { parseBlobsUrl } from './blobs-url.ts'
import { openS3Blobs } from './s3.ts'
import { S3Error } from './s3-calls.ts'

/** An S3 that is away, in every way that it can be (the bar, reliability 7). */

const mebibyte = 1024 * 1024
const boundMs = 10_000
const leftoversAfterMs = 300

let s3: Radosgw | undefined

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)
else {
  beforeAll(async () => {
    s3 = await startRadosgw()
  }, 60_000)
  afterAll(() => s3?.[Symbol.asyncDispose]())
}

interface Fixture extends AsyncDisposable {
  /** Reaches S3 through `proxy`. */
  blobs: BlobStore
  proxy: TcpProxy
  /** Reaches the same bucket past the proxy: what is really there. */
  truth: BlobStore
  url: string
  dir: string
  staging(): Promise<string[]>
}

async function fixture(): Promise<Fixture> {
  if (!s3) throw new Error('no S3')
  const folder = await mkdtempDisposable(join(tmpdir(), 'summit-s3-'))
  const proxy = await tcpProxy(s3.port)
  const bucket = `summit-${randomUUID()}`
  await s3.createBucket(bucket)
  const through = (endpoint: string) =>
    `s3://${s3?.accessKeyId}:${s3?.secretAccessKey}@${bucket}?endpoint=${encodeURIComponent(endpoint)}`
  const dir = join(folder.path, 'blobs')
  const url = through(proxy.url)
  return {
    blobs: await openS3Blobs(parseBlobsUrl(url), dir, { leftoversAfterMs }),
    truth: await openS3Blobs(parseBlobsUrl(through(s3.url)), join(folder.path, 'other')),
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

/** What the work fails with, and when. */
async function failing(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const from = performance.now()
  try {
    await work
  } catch (error) {
    return { error, ms: performance.now() - from }
  }
  throw new Error('it did not fail')
}

async function expectUnavailable(work: Promise<unknown>, ms = boundMs): Promise<void> {
  const failed = await failing(work)
  expect(failed.error).toMatchObject({ reason: 'UNAVAILABLE' })
  expect(failed.ms).toBeLessThan(ms)
}

const outages: Trouble[] = [
  'refuse',
  'black hole',
  'reset',
  'slow',
  '500',
  'truncate',
  'damage',
  'lose answers',
  'truncate answers',
]
const deafOutages: Trouble[] = ['refuse', 'black hole', '500', 'lose answers', 'truncate answers']

describe.concurrent('an S3 that is away', { timeout: 60_000 }, () => {
  const it = test.skipIf(radosgwMissing !== undefined)

  it.for(outages)(
    '(%s) fails uploads in time, leaves nothing of them, and is used again when it is back',
    async (trouble) => {
      await using t = await fixture()
      await store(t.blobs, 'files/before', mebibyte)
      const staged = await Promise.all([1, 2, 3, 4].map(() => stage(t.blobs, mebibyte)))
      await t.proxy.setTrouble(trouble)

      await Promise.all(staged.map((blob, at) => expectUnavailable(blob.store(`files/during/${at}`))))

      expect(await t.staging()).toEqual([])
      await t.proxy.setTrouble(undefined)
      await store(t.blobs, 'files/after', mebibyte)
      await vi.waitFor(async () => expect(await keysOf(t.truth)).toEqual(['files/after', 'files/before']), 5_000)
      expect(await keysOf(t.blobs)).toEqual(['files/after', 'files/before'])
      expect(await t.blobs.size('files/before')).toBe(mebibyte)
    },
  )

  it.for(deafOutages)('(%s) makes nothing look as if it were missing', async (trouble) => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 10)
    await t.proxy.setTrouble(trouble)
    await Promise.all([
      expectUnavailable(t.blobs.size('files/a')),
      expectUnavailable(t.blobs.open('files/a')),
      expectUnavailable(keysOf(t.blobs)),
      expectUnavailable(t.blobs.remove('files/b'), 3_000),
    ])
    await t.proxy.setTrouble(undefined)
    expect(await t.blobs.size('files/a')).toBe(10)
  })

  it('(refuse) lets a server start, and serves it when it is back', async () => {
    await using t = await fixture()
    await t.proxy.setTrouble('refuse')
    const blobs = await openS3Blobs(parseBlobsUrl(t.url), t.dir)
    await expectUnavailable(keysOf(blobs))
    await t.proxy.setTrouble(undefined)
    await store(blobs, 'files/a', 10)
    expect(await keysOf(blobs)).toEqual(['files/a'])
  })

  it('for one moment is not noticed', async () => {
    await using t = await fixture()
    const staged = await stage(t.blobs, mebibyte)
    await t.proxy.setTrouble('refuse')
    setTimeout(() => void t.proxy.setTrouble(undefined), 50)
    await staged.store('files/a')
    expect(await t.truth.size('files/a')).toBe(mebibyte)
  })

  it.for(['truncate answers', 'black hole'] as const)('(%s) in the middle of a read breaks it off', async (trouble) => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 16 * mebibyte)
    const { bytes } = (await t.blobs.open('files/a')) as OpenBlob
    let size = 0
    const reading = async () => {
      for await (const piece of bytes) {
        if (size === 0) await t.proxy.setTrouble(trouble)
        size += piece.length
      }
    }
    const { ms } = await failing(reading())
    expect(ms).toBeLessThan(boundMs + 1_000)
    expect(bytes.destroyed).toBe(true)
    expect(size).toBeLessThan(16 * mebibyte)
  })

  it('is not what a slow reader is taken for', async () => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 16 * mebibyte)
    const { bytes } = (await t.blobs.open('files/a')) as OpenBlob
    let size = 0
    for await (const piece of bytes) {
      // Longer than a silent S3 is waited for.
      if (size === 0) await sleep(11_000)
      size += piece.length
    }
    expect(size).toBe(16 * mebibyte)
  })

  it('(lose answers) may have stored what it did not confirm; that stays when it is stored again', async () => {
    await using t = await fixture()
    await t.proxy.setTrouble('lose answers')
    await expectUnavailable(store(t.blobs, 'files/a', 10))
    expect(await keysOf(t.truth)).toEqual(['files/a'])
    await t.proxy.setTrouble(undefined)
    await store(t.blobs, 'files/a', 10)
    await sleep(4 * leftoversAfterMs)
    expect(await keysOf(t.truth)).toEqual(['files/a'])
  })

  it('(refuse) is made up for when it was told to remove', async () => {
    await using t = await fixture()
    await store(t.blobs, 'files/a', 10)
    await t.proxy.setTrouble('refuse')
    await expectUnavailable(t.blobs.remove('files/a'))
    await sleep(3 * leftoversAfterMs)
    await t.proxy.setTrouble(undefined)
    await vi.waitFor(async () => expect(await keysOf(t.truth)).toEqual([]), 5_000)
  })

  it('(500) is named in the cause, without a secret', async () => {
    await using t = await fixture()
    await t.proxy.setTrouble('500')
    const { error } = await failing(store(t.blobs, 'files/a', 10))
    const logged = inspect(error, { depth: 9, showHidden: true })
    expect(logged).toContain('HTTP 500')
    for (const secret of [s3?.secretAccessKey, s3?.accessKeyId, 'Signature']) expect(logged).not.toContain(secret)
  })
})

describe('an S3 that refuses us', () => {
  const it = test.skipIf(radosgwMissing !== undefined)

  it.each([
    ['a wrong secret', (url: string) => url.replace(/:[0-9a-f]{40}@/, ':wrong@'), 'SignatureDoesNotMatch'],
    ['an unknown key id', (url: string) => url.replace(/\/\/[0-9a-f]{20}:/, '//nobody:'), 'InvalidAccessKeyId'],
    ['no such bucket', (url: string) => url.replace(/@[^?]+/, '@nowhere'), 'NoSuchBucket'],
  ])('because of %s keeps a server from starting', async (_, spoil, reason) => {
    await using t = await fixture()
    const { error } = await failing(openS3Blobs(parseBlobsUrl(spoil(t.url)), t.dir))
    expect(error).toBeInstanceOf(S3Error)
    expect(String(error)).toMatch(new RegExp(`^S3Error: S3 refuses the bucket \\S+: ${reason} \\(HTTP 40[34]\\)$`))
  })
})

test.skipIf(radosgwMissing !== undefined)('uploads that fail keep no descriptor open', async () => {
  await using t = await fixture()
  const open = async () => (await readdir('/proc/self/fd')).length
  await store(t.blobs, 'files/a', mebibyte)
  const before = await open()
  await t.proxy.setTrouble('reset')
  for (let at = 0; at < 30; at++) await expectUnavailable(store(t.blobs, `files/b/${at}`, mebibyte))
  await t.proxy.setTrouble(undefined)
  await vi.waitFor(async () => expect(await open()).toBeLessThan(before + 5), 5_000)
})
