import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'
import type { BlobStore, ByteRange, OpenBlob } from './blob-store.ts'
import { openFsBlobs } from './fs.ts'

const mebibyte = 1024 * 1024
const key = 'files/ab/abcdef'

/** An empty store, removed when the test ends (`await using`). */
export interface TestStore extends AsyncDisposable {
  blobs: BlobStore
  /** Opens the store again, as another process would. */
  reopen(): Promise<BlobStore>
  /** The names of the staged files. */
  staging(): Promise<string[]>
}

/** @param open opens a store whose staging folder is below `dir`; the same one each time */
export async function createTestStore(open: (dir: string) => Promise<BlobStore>): Promise<TestStore> {
  const folder = await createTemporaryFolder()
  const dir = join(folder.path, 'blobs')
  return {
    blobs: await open(dir),
    reopen: () => open(dir),
    staging: async () => {
      const entries = await readdir(join(dir, 'staging'), { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  }
}

/** A store in a folder. */
export const openFolderStore = () =>
  createTestStore((dir) =>
    openFsBlobs(dir, (error) => {
      throw error
    }),
  )

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Bytes that do not repeat, so that a misplaced chunk is detected. */
function* chunks(size: number, step = 65_536): Generator<Buffer> {
  for (let at = 0; at < size; at += step) {
    const words = new Uint32Array(Math.ceil(Math.min(step, size - at) / 4))
    for (let index = 0; index < words.length; index++) words[index] = Math.imul(at + 4 * index, 2_654_435_761)
    yield Buffer.from(words.buffer, 0, Math.min(step, size - at))
  }
}

async function read(blobs: BlobStore, key: string, range?: ByteRange): Promise<Buffer> {
  const blob = await blobs.open(key, range)
  if (!blob) throw new Error(`${key} does not exist`)
  return Buffer.concat(await blob.bytes.toArray())
}

const put = async (blobs: BlobStore, key: string, text: string) =>
  (await blobs.stage([Buffer.from(text)], mebibyte)).store(key)

const keysOf = async (blobs: BlobStore) => (await Array.fromAsync(blobs.list(), ({ key }) => key)).sort()

/**
 * Declares the tests of the contract in `blob-store.ts`, which every implementation must pass, as those of
 * {@link declareLargeConformanceTests}.
 */
export function declareConformanceTests(openStore: () => Promise<TestStore>): void {
  test('are read back with the same bytes, size and hash, by another process too', async () => {
    await using t = await openStore()
    const bytes = Buffer.concat([...chunks(300_001)])
    const staged = await t.blobs.stage(
      [bytes.subarray(0, 3), bytes.subarray(3, 200_000), bytes.subarray(200_000)],
      mebibyte,
    )
    expect([staged.size, staged.sha256]).toEqual([bytes.length, sha256Of(bytes)])
    expect(bytes.subarray(0, 4_100).equals(staged.head)).toBe(true)

    await staged.store(key)

    for (const blobs of [t.blobs, await t.reopen()]) {
      expect(await blobs.size(key)).toBe(bytes.length)
      expect((await read(blobs, key)).equals(bytes)).toBe(true)
    }
    expect(await t.staging()).toEqual([])
  })

  test('are copied from each chunk before the next one is requested', async () => {
    await using t = await openStore()
    async function* reusedChunks() {
      for (const chunk of chunks(300_001, 1_000)) {
        yield chunk
        chunk.fill(0)
      }
    }
    const staged = await t.blobs.stage(reusedChunks(), mebibyte)
    const bytes = Buffer.concat([...chunks(300_001, 1_000)])
    expect(staged.sha256).toBe(sha256Of(bytes))
    expect(bytes.subarray(0, staged.head.length).equals(staged.head)).toBe(true)
    await staged.store(key)
    expect((await read(t.blobs, key)).equals(bytes)).toBe(true)
  })

  test('may be empty', async () => {
    await using t = await openStore()
    const staged = await t.blobs.stage([], mebibyte)
    expect([staged.size, staged.sha256, staged.head.length]).toEqual([0, sha256Of(Buffer.of()), 0])
    await staged.store(key)
    expect(await t.blobs.size(key)).toBe(0)
    expect(await read(t.blobs, key)).toEqual(Buffer.of())
    expect(await keysOf(t.blobs)).toEqual([key])
  })

  test.each([
    [{ start: 0, end: 0 }, '0'],
    [{ start: 2, end: 4 }, '234'],
    [{ start: 9, end: 9 }, '9'],
    [{ start: 0, end: 9 }, '0123456789'],
    [{ start: 8, end: 99 }, '89'],
    [{ start: 10, end: 20 }, ''],
  ])('are read by range: %j', async (range, text) => {
    await using t = await openStore()
    await put(t.blobs, key, '0123456789')
    expect((await read(t.blobs, key, range)).toString()).toBe(text)
    const blob = await t.blobs.open(key, range)
    expect(blob?.size).toBe(10)
    blob?.bytes.destroy()
  })

  test('are rejected when they are too large, and leave nothing', async () => {
    await using t = await openStore()
    await expect(t.blobs.stage(chunks(mebibyte + 1), mebibyte)).rejects.toMatchObject({ reason: 'TOO_LARGE' })
    await expect(t.blobs.stage(chunks(mebibyte), mebibyte)).resolves.toMatchObject({ size: mebibyte })
    expect(await t.staging()).toHaveLength(1)
    expect(await keysOf(t.blobs)).toEqual([])
  })

  test('fail with the error of their source, and leave nothing', async () => {
    await using t = await openStore()
    const failure = new Error('the client disconnected')
    async function* source() {
      yield* chunks(mebibyte)
      throw failure
    }
    await expect(t.blobs.stage(source(), 2 * mebibyte)).rejects.toBe(failure)
    expect(await t.staging()).toEqual([])
    expect(await keysOf(t.blobs)).toEqual([])
  })

  test('are deleted when discarded before they are stored, but not after', async () => {
    await using t = await openStore()
    const discarded = await t.blobs.stage([Buffer.from('no')], mebibyte)
    await discarded.discard()
    await discarded.discard()
    const stored = await t.blobs.stage([Buffer.from('yes')], mebibyte)
    await stored.store(key)
    await stored.discard()
    expect(await t.staging()).toEqual([])
    expect(await keysOf(t.blobs)).toEqual([key])
    expect((await read(t.blobs, key)).toString()).toBe('yes')
  })

  test('can be removed, even twice, without affecting others', async () => {
    await using t = await openStore()
    await put(t.blobs, key, 'one')
    await put(t.blobs, `${key}2`, 'two')
    for (const _ of [1, 2]) {
      await t.blobs.remove(key)
      expect([await t.blobs.size(key), await t.blobs.open(key)]).toEqual([undefined, undefined])
      expect(await keysOf(t.blobs)).toEqual([`${key}2`])
    }
  })

  test('are listed by folder', async () => {
    await using t = await openStore()
    for (const name of ['people/1/a', 'people/1/b/c', 'people/12/a', 'people/2/a']) await put(t.blobs, name, name)
    const keysBelow = async (folder: string) => (await Array.fromAsync(t.blobs.list(folder), ({ key }) => key)).sort()
    expect(await keysBelow('people/1/')).toEqual(['people/1/a', 'people/1/b/c'])
    expect(await keysBelow('people/3/')).toEqual([])
  })

  test('can be stored concurrently', async () => {
    await using t = await openStore()
    const texts = Array.from({ length: 12 }, (_, at) => `${at}`.repeat(100_000))
    const staged = await Promise.all(texts.map((text) => t.blobs.stage([Buffer.from(text)], 2 * mebibyte)))
    await Promise.all(staged.map((blob, at) => blob.store(`files/${at}/a`)))
    for (const [at, text] of texts.entries()) expect((await read(t.blobs, `files/${at}/a`)).toString()).toBe(text)
  })

  test('can be stored again under the same key with the same content', async () => {
    await using t = await openStore()
    await Promise.all([put(t.blobs, key, 'same'), put(t.blobs, key, 'same')])
    await put(t.blobs, key, 'same')
    expect((await read(t.blobs, key)).toString()).toBe('same')
    expect(await keysOf(t.blobs)).toEqual([key])
  })

  test('of an unknown key are reported as missing, not as an error', async () => {
    await using t = await openStore()
    expect(await t.blobs.size('files/no/such')).toBeUndefined()
    expect(await t.blobs.open('files/no/such')).toBeUndefined()
    expect(await t.blobs.open('files/no/such', { start: 0, end: 1 })).toBeUndefined()
    await t.blobs.remove('files/no/such')
  })
}

/** Declares those tests of the contract that take many blobs, or large ones. */
export function declareLargeConformanceTests(openStore: () => Promise<TestStore>): void {
  test('are not buffered in memory', async () => {
    await using t = await openStore()
    const size = 64 * mebibyte
    await put(t.blobs, 'files/warm/up', 'x')
    const memory = watchMemory()
    const hash = createHash('sha256')
    async function* source() {
      for (const chunk of chunks(size)) {
        hash.update(chunk)
        yield chunk
        memory.sample()
      }
    }
    const staged = await t.blobs.stage(source(), size)
    await memory.during(staged.store(key))
    const { bytes } = (await t.blobs.open(key)) as OpenBlob
    const readHash = createHash('sha256')
    for await (const chunk of bytes) {
      readHash.update(chunk)
      memory.sample()
    }
    expect(readHash.digest('hex')).toBe(hash.digest('hex'))
    expect(memory.peakGrowth()).toBeLessThan(size / 4)
  })

  test('are listed, each once, even if there are more than fit one response of S3', { timeout: 60_000 }, async () => {
    await using t = await openStore()
    expect(await keysOf(t.blobs)).toEqual([])
    const keys = Array.from({ length: 1_050 }, (_, at) => `files/${String(at % 7).padStart(2, '0')}/${at}`)
    const remaining = [...keys]
    const storing = Array.from({ length: 20 }, async () => {
      for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) await put(t.blobs, next, next)
    })
    await Promise.all(storing)
    await t.blobs.stage([Buffer.from('not yet')], mebibyte)
    expect(await keysOf(t.blobs)).toEqual(keys.sort())
    for await (const { storedAt } of t.blobs.list()) expect(Math.abs(storedAt - Date.now())).toBeLessThan(120_000)
  })

  test('can be abandoned by readers without leaking resources', async () => {
    await using t = await openStore()
    await (await t.blobs.stage(chunks(8 * mebibyte), 8 * mebibyte)).store(key)
    for (const _ of Array(100)) {
      const { bytes } = (await t.blobs.open(key)) as OpenBlob
      bytes.destroy()
    }
    expect((await read(t.blobs, key)).length).toBe(8 * mebibyte)
  })
}

/** Measures the peak of memory in use above the initial level, without garbage. */
function watchMemory() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const inUse = () => {
    // The second collection frees what the first one found unused. In a process that has run many tests, each takes
    // long.
    collect()
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = inUse()
  let peak = before
  let samples = 0
  const sample = () => {
    if (samples++ % 512 === 0) peak = Math.max(peak, inUse())
  }
  return {
    sample,
    during: async (work: Promise<void>) => {
      const timer = setInterval(sample, 1)
      await work.finally(() => clearInterval(timer))
    },
    peakGrowth: () => peak - before,
  }
}
