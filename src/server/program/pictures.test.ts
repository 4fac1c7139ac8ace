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

/** Asks for a picture of the first event. */
async function get(t: TestApp, kind: PictureKind, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${t.url}/api/program/${kind}/get/1`, {
    method,
    headers,
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('an event without a picture has one drawn for it', () => {
  test.each([
    ['banner', 1200, 628],
    ['photo', 400, 400],
  ] as const)('a %s: PNG, %i by %i', async (kind, width, height) => {
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
    // Decoded to the last pixel, not only its header.
    expect((await sharp(bytes).removeAlpha().raw().toBuffer()).length).toBe(width * height * 3)
  })

  test.each(kinds)('the same %s by another server for the same event, another for another title', async (kind) => {
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

  test.each(kinds)('a %s once: who has it already is told so', async (kind) => {
    await using t = await testApp()
    await make.event(t)
    const etag = (await get(t, kind)).headers.get('etag') ?? ''
    const known = await get(t, kind, { 'if-none-match': etag })
    expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, etag])
    expect((await get(t, kind, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get(t, kind)).status).toBe(200)
  })

  test('whatever its title is', async () => {
    await using t = await testApp()
    await make.event(t, { title: '<script>&🍲'.repeat(500), speaker: '\u202E' })
    for (const kind of kinds)
      expect(await sharp((await get(t, kind)).bytes).metadata()).toMatchObject({ format: 'png' })
  })

  test('of which a part and the headers alone can be had as well', async () => {
    await using t = await testApp()
    await make.event(t)
    const { bytes } = await get(t, 'banner')
    const part = await get(t, 'banner', { range: 'bytes=1-3' })
    expect([part.status, part.bytes.toString()]).toEqual([206, 'PNG'])
    const head = await get(t, 'banner', {}, 'HEAD')
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
  })

  test('also where the picture that it names is not there any more', async () => {
    await using t = await testApp()
    await make.event(t, { banner: 'program/1/banner-lost.jpg' })
    const { status, headers } = await get(t, 'banner')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  })
})

describe('what has been drawn', () => {
  const drawnBy = (t: TestApp) => join(t.dataDir, 'placeholders')

  test('is kept, one of each kind for an event, and read from there', async () => {
    await using t = await testApp()
    await make.event(t, { title: 'Opening' })
    for (const title of ['Closing', 'Party']) {
      await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ title }).execute())
      for (const kind of kinds) await get(t, kind)
    }
    expect((await readdir(drawnBy(t))).sort()).toEqual(['1-banner', '1-photo'])
    const before = await stat(join(drawnBy(t), '1-banner'))
    await get(t, 'banner')
    expect((await stat(join(drawnBy(t), '1-banner'))).mtimeMs).toBe(before.mtimeMs)
  })

  test('need not be drawn for a client that has it already', async () => {
    await using t = await testApp()
    await make.event(t, { title: 'Opening' })
    const etag = `"${placeholderVersion({ id: 1, title: 'Opening', kind: 'banner' }).slice(0, 32)}"`
    expect((await get(t, 'banner', { 'if-none-match': etag })).status).toBe(304)
    expect(existsSync(drawnBy(t))).toBe(false)
    expect((await get(t, 'banner')).headers.get('etag')).toBe(etag)
  })

  test('is drawn again where its file is damaged, or cannot be kept at all', async () => {
    await using t = await testApp()
    await make.event(t)
    const { bytes } = await get(t, 'banner')
    await truncate(join(drawnBy(t), '1-banner'), 1_000)
    expect((await get(t, 'banner')).bytes.equals(bytes)).toBe(true)
    await rm(drawnBy(t), { recursive: true })
    await writeFile(drawnBy(t), 'no folder')
    expect((await get(t, 'banner')).bytes.equals(bytes)).toBe(true)
  })
})

describe('an event with a picture', () => {
  test.each([
    ['banner', 'jpeg', 'jpg'],
    ['photo', 'webp', 'webp'],
    ['banner', 'png', 'png'],
  ] as const)('answers its stored %s as %s', async (kind, format, extension) => {
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
    const known = await get(t, kind, { 'if-none-match': headers.get('etag') ?? '' })
    expect([known.status, known.bytes.length]).toEqual([304, 0])
    const part = await get(t, kind, { range: 'bytes=2-5' })
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(2, 6)])
    const { programs } = await t.client.getEvent({ id: 1 })
    expect(programs[kind]).toBe(key)
    // Once more, from memory.
    expect((await get(t, kind)).bytes).toEqual(bytes)
  })
})

describe('a stored picture', () => {
  const damages = {
    'cut short': ['wrong_content', (path: string) => truncate(path, 10)],
    'made longer': ['wrong_content', (path: string) => appendFile(path, 'HTTP/1.1 200 OK')],
    'changed by a byte': ['wrong_content', (path: string) => writeFile(path, Buffer.alloc(100, 'b'))],
    removed: ['missing', (path: string) => rm(path)],
  } as const

  test.each(Object.keys(damages) as (keyof typeof damages)[])(
    'that was %s has one drawn in its place, and counts as damaged',
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

test.each(kinds)('there is no %s of an event that is not there, but an envelope that says so', async (kind) => {
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

describe('the address of the banner', () => {
  const app = sharedApp({}, make.event)

  /** The program, as asked for under another name. */
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

  test('is below the name under which the client knows us', async () => {
    const t = app()
    expect(await imageUrlFor(t, 'summit.example:8080')).toBe('http://summit.example:8080/api/program/banner/get/1')
    expect(await imageUrlFor(t, '[::1]:3000')).toBe('http://[::1]:3000/api/program/banner/get/1')
  })

  test.each(['a"><script>', 'a/b', 'user@summit.example', 'a b'])('is not made from a Host like %s', async (host) => {
    expect(await imageUrlFor(app(), host)).toBeUndefined()
  })

  test('is below PUBLIC_URL where that is set, whatever the client calls us', async () => {
    await using t = await testApp({ PUBLIC_URL: 'https://summit.example/app/' })
    await make.event(t)
    expect(await imageUrlFor(t, 'evil.example')).toBe('https://summit.example/app/api/program/banner/get/1')
  })
})

/** Gives an event a stored banner. @returns the blob key */
async function storeBanner(t: TestApp, eventId: EventId, bytes: Buffer): Promise<string> {
  const key = pictureKey(eventId, 'banner', createHash('sha256').update(bytes).digest('hex'), 'png')
  await (await t.ctx.blobs.stage([bytes], bytes.length)).store(key)
  await t.ctx.database.transaction((tx) => updateEvent(commandScope(t.ctx, tx, 'test'), eventId, { banner: key }, []))
  return key
}

const bannerOf = async (t: TestApp, eventId: EventId) =>
  Buffer.from(await (await fetch(`${t.url}/api/program/banner/get/${eventId}`)).arrayBuffer())

describe('stored pictures in memory', () => {
  test('take no more than they may; those that were not asked for the longest are read again', async () => {
    await using t = await testApp({ PAGE_CACHE_BYTES: '1000' })
    const ids: EventId[] = []
    for (let nth = 0; nth < 3; nth++) ids.push((await make.event(t)) as EventId)
    const keys: string[] = []
    for (const id of ids) keys.push(await storeBanner(t, id, Buffer.alloc(400, id)))
    const [first, second, third] = ids as [EventId, EventId, EventId]
    for (const id of [first, second, first, third]) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(400, id))
    for (const key of keys) await t.ctx.blobs.remove(key)
    const fromMemory = async (id: EventId) => (await bannerOf(t, id)).equals(Buffer.alloc(400, id))
    expect([await fromMemory(first), await fromMemory(second), await fromMemory(third)]).toEqual([true, false, true])
  })

  test('may be empty', async () => {
    await using t = await testApp()
    const id = (await make.event(t)) as EventId
    await storeBanner(t, id, Buffer.alloc(0))
    for (let nth = 0; nth < 2; nth++) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(0))
  })

  test('are not sent once the event has another', async () => {
    await using t = await testApp()
    const id = (await make.event(t)) as EventId
    for (const fill of [1, 2, 1]) {
      await storeBanner(t, id, Buffer.alloc(400, fill))
      for (let nth = 0; nth < 2; nth++) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(400, fill))
    }
  })
})
