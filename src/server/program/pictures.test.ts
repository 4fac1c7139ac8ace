import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { sharedApp } from '../../../test/shared-app.ts'
import type { EventId } from '../core/ids.ts'
import { placeholderVersion } from '../images/placeholder-version.ts'
import { commandScope } from '../scope.ts'
import { updateEvent } from './events.ts'
import { type PictureKind, pictureKey } from './pictures.ts'

const kinds = ['banner', 'photo'] as const

/** Requests a picture of the first event. */
async function get(t: TestApp, kind: PictureKind, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${t.url}/api/program/${kind}/get/1`, {
    method,
    headers,
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('the placeholder of an event without a picture', () => {
  test.each([
    ['banner', 1200, 628],
    ['photo', 400, 400],
  ] as const)('for a %s is a PNG of %i by %i', async (kind, width, height) => {
    await using t = await testApp()
    await make.event(t, { title: 'Opening', speaker: 'Ana Cruz' })
    const { status, headers, bytes } = await get(t, kind)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
    expect(headers.get('content-disposition')).toBeNull()
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width, height })
    // Decodes every pixel, not only the header.
    expect((await sharp(bytes).removeAlpha().raw().toBuffer()).length).toBe(width * height * 3)
  })

  test.each(kinds)('for a %s is the same on every server, and differs by title', async (kind) => {
    const drawnFor = async (title: string) => {
      await using t = await testApp()
      await make.event(t, { title })
      const [{ bytes, headers }, again] = [await get(t, kind), await get(t, kind)]
      expect(again.bytes.equals(bytes)).toBe(true)
      expect(again.headers.get('etag')).toBe(headers.get('etag'))
      return { bytes, etag: headers.get('etag') }
    }
    const [first, second, other] = [await drawnFor('Opening'), await drawnFor('Opening'), await drawnFor('Closing')]
    expect(second).toEqual(first)
    expect(other.etag).not.toBe(first.etag)
  })

  test.each(kinds)('for a %s is not sent to a client that already has it', async (kind) => {
    await using t = await testApp()
    await make.event(t)
    const etag = (await get(t, kind)).headers.get('etag') ?? ''
    const revalidated = await get(t, kind, { 'if-none-match': etag })
    expect([revalidated.status, revalidated.bytes.length, revalidated.headers.get('etag')]).toEqual([304, 0, etag])
    expect((await get(t, kind, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(t, kind)).status).toBe(200)
  })

  test('is drawn for any title', async () => {
    await using t = await testApp()
    await make.event(t, { title: '<script>&🍲'.repeat(500), speaker: '\u202E' })
    for (const kind of kinds)
      expect(await sharp((await get(t, kind)).bytes).metadata()).toMatchObject({ format: 'png' })
  })

  test('supports ranges and HEAD', async () => {
    await using t = await testApp()
    await make.event(t)
    const { bytes } = await get(t, 'banner')
    const part = await get(t, 'banner', { range: 'bytes=1-3' })
    expect([part.status, part.bytes.toString()]).toEqual([206, 'PNG'])
    const head = await get(t, 'banner', {}, 'HEAD')
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
  })

  test('is also served if the stored picture is missing', async () => {
    await using t = await testApp()
    await make.event(t, { banner: 'program/1/banner-lost.jpg' })
    const { status, headers } = await get(t, 'banner')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  })
})

describe('placeholder files', () => {
  const placeholderDir = (t: TestApp) => join(t.dataDir, 'placeholders')

  test('are cached, one of each kind per event, and read again', async () => {
    await using t = await testApp()
    await make.event(t, { title: 'Opening' })
    for (const title of ['Closing', 'Party']) {
      await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ title }).execute())
      for (const kind of kinds) await get(t, kind)
    }
    expect((await readdir(placeholderDir(t))).sort()).toEqual(['1-banner', '1-photo'])
    const before = await stat(join(placeholderDir(t), '1-banner'))
    await get(t, 'banner')
    expect((await stat(join(placeholderDir(t), '1-banner'))).mtimeMs).toBe(before.mtimeMs)
  })

  test('are not drawn for a client that already has the picture', async () => {
    await using t = await testApp()
    await make.event(t, { title: 'Opening' })
    const etag = `"${placeholderVersion({ id: 1, title: 'Opening', kind: 'banner' }).slice(0, 32)}"`
    expect((await get(t, 'banner', { 'if-none-match': etag })).status).toBe(304)
    expect(existsSync(placeholderDir(t))).toBe(false)
    expect((await get(t, 'banner')).headers.get('etag')).toBe(etag)
  })

  test('are drawn again if damaged, or if the folder cannot be written to', async () => {
    await using t = await testApp()
    await make.event(t)
    const { bytes } = await get(t, 'banner')
    await truncate(join(placeholderDir(t), '1-banner'), 1_000)
    expect((await get(t, 'banner')).bytes.equals(bytes)).toBe(true)
    await rm(placeholderDir(t), { recursive: true })
    await writeFile(placeholderDir(t), 'no folder')
    expect((await get(t, 'banner')).bytes.equals(bytes)).toBe(true)
  })
})

describe('an event with a picture', () => {
  test.each([
    ['banner', 'jpeg', 'jpg'],
    ['photo', 'webp', 'webp'],
    ['banner', 'png', 'png'],
  ] as const)('returns its stored %s as %s', async (kind, format, extension) => {
    await using t = await testApp()
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#b34' } })
      .toFormat(format)
      .toBuffer()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const id = await make.event(t)
    const key = pictureKey(id as Parameters<typeof pictureKey>[0], kind, sha256, extension)
    await (await t.ctx.blobs.stage([bytes], 1_000_000)).store(key)
    await t.ctx.database.transaction((tx) =>
      tx
        .updateTable('event')
        .set({ [kind]: key })
        .execute(),
    )

    const { status, headers, bytes: served } = await get(t, kind)

    expect(served).toEqual(bytes)
    expect([status, headers.get('content-type')]).toEqual([200, `image/${format}`])
    expect(headers.get('etag')).toBe(`"${sha256.slice(0, 32)}"`)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    const revalidated = await get(t, kind, { 'if-none-match': headers.get('etag') ?? '' })
    expect([revalidated.status, revalidated.bytes.length]).toEqual([304, 0])
    const part = await get(t, kind, { range: 'bytes=2-5' })
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(2, 6)])
    const { programs } = await t.client.getEvent({ id: 1 })
    expect(programs[kind]).toBe(key)
    // Again, from the cache.
    expect((await get(t, kind)).bytes).toEqual(bytes)
  })
})

describe('a stored picture', () => {
  const damages = {
    'cut short': ['wrong_content', (path: string) => truncate(path, 10)],
    'made longer': ['wrong_content', (path: string) => appendFile(path, 'HTTP/1.1 200 OK')],
    overwritten: ['wrong_content', (path: string) => writeFile(path, Buffer.alloc(100, 'b'))],
    removed: ['missing', (path: string) => rm(path)],
  } as const

  test.each(Object.keys(damages) as (keyof typeof damages)[])(
    'that was %s is replaced by a placeholder and counted as damaged',
    async (damage) => {
      await using t = await testApp()
      const bytes = Buffer.alloc(100, 'a')
      const id = await make.event(t)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const key = pictureKey(id as Parameters<typeof pictureKey>[0], 'banner', sha256, 'png')
      await (await t.ctx.blobs.stage([bytes], 1_000)).store(key)
      await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ banner: key }).execute())
      const [problem, apply] = damages[damage]
      await apply(join(t.dataDir, 'blobs', 'kept', key))

      const [whole, part] = [await get(t, 'banner'), await get(t, 'banner', { range: 'bytes=1-3' })]

      expect((await sharp(whole.bytes).metadata()).width).toBe(1200)
      expect([part.status, part.bytes.toString()]).toEqual([206, 'PNG'])
      expect(whole.headers.get('etag')).not.toContain(sha256.slice(0, 32))
      const metrics = await (await fetch(`${t.url}/metrics`)).text()
      expect(metrics).toContain(`summit_damaged_file_reads_total{problem="${problem}"} 2`)
    },
  )
})

test.each(kinds)('the %s of a deleted or unknown event is a failure in an envelope', async (kind) => {
  await using t = await testApp()
  await make.event(t)
  await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ is_deleted: 1 }).execute())
  for (const id of [1, 9]) {
    const { response_code, data, headers } = await make.send(t, 'GET', `/api/program/${kind}/get/${id}`)
    expect([response_code, data]).toMatchObject([4040, { reason: 'EVENT_NOT_FOUND' }])
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(headers.get('etag')).toBeNull()
  }
  expect((await make.send(t, 'GET', `/api/program/${kind}/get/x`)).response_code).toBe(4220)
})

describe('the URL of the banner', () => {
  const app = sharedApp({}, make.event)

  /** The image URL of the first event, requested with this Host header. */
  async function imageUrlFor(t: TestApp, host: string): Promise<string> {
    const text = await new Promise<string>((resolve, reject) => {
      request(`${t.url}/api/program/list/0/1`, { headers: { host } }, async (response) =>
        resolve((await response.toArray()).join('')),
      )
        .on('error', reject)
        .end()
    })
    return JSON.parse(text)[0].data.events?.[0].imageUrl
  }

  test('is based on the Host header', async () => {
    const t = app()
    expect(await imageUrlFor(t, 'summit.example:8080')).toBe('http://summit.example:8080/api/program/banner/get/1')
    expect(await imageUrlFor(t, '[::1]:3000')).toBe('http://[::1]:3000/api/program/banner/get/1')
  })

  test.each(['a"><script>', 'a/b', 'user@summit.example', 'a b'])(
    'is not based on an invalid Host like %s',
    async (host) => {
      expect(await imageUrlFor(app(), host)).toBeUndefined()
    },
  )

  test('is based on PUBLIC_URL if set, whatever the Host header', async () => {
    await using t = await testApp({ PUBLIC_URL: 'https://summit.example/app/' })
    await make.event(t)
    expect(await imageUrlFor(t, 'evil.example')).toBe('https://summit.example/app/api/program/banner/get/1')
  })
})

/** Stores a banner of an event. @returns the blob key */
async function storeBanner(t: TestApp, eventId: EventId, bytes: Buffer): Promise<string> {
  const key = pictureKey(eventId, 'banner', createHash('sha256').update(bytes).digest('hex'), 'png')
  await (await t.ctx.blobs.stage([bytes], bytes.length)).store(key)
  await t.ctx.database.transaction((tx) => updateEvent(commandScope(t.ctx, tx, 'test'), eventId, { banner: key }, []))
  return key
}

const bannerOf = async (t: TestApp, eventId: EventId) =>
  Buffer.from(await (await fetch(`${t.url}/api/program/banner/get/${eventId}`)).arrayBuffer())

describe('cached pictures', () => {
  test('stay within the limit; the least recently used are read again', async () => {
    await using t = await testApp({ PAGE_CACHE_BYTES: '1000' })
    const ids: EventId[] = []
    for (let nth = 0; nth < 3; nth++) ids.push((await make.event(t)) as EventId)
    const keys: string[] = []
    for (const id of ids) keys.push(await storeBanner(t, id, Buffer.alloc(400, id)))
    const [first, second, third] = ids as [EventId, EventId, EventId]
    for (const id of [first, second, first, third]) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(400, id))
    for (const key of keys) await t.ctx.blobs.remove(key)
    const isCached = async (id: EventId) => (await bannerOf(t, id)).equals(Buffer.alloc(400, id))
    expect([await isCached(first), await isCached(second), await isCached(third)]).toEqual([true, false, true])
  })

  test('may be empty', async () => {
    await using t = await testApp()
    const id = (await make.event(t)) as EventId
    await storeBanner(t, id, Buffer.alloc(0))
    for (let nth = 0; nth < 2; nth++) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(0))
  })

  test('are not served after the event has another picture', async () => {
    await using t = await testApp()
    const id = (await make.event(t)) as EventId
    for (const fill of [1, 2, 1]) {
      await storeBanner(t, id, Buffer.alloc(400, fill))
      for (let nth = 0; nth < 2; nth++) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(400, fill))
    }
  })
})
