import { createHash } from 'node:crypto'
import { appendFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { EventId } from '../../core/ids.ts'
import { commandScope } from '../../scope.ts'
import { updateEvent } from './events.ts'
import { getPicture } from './pictures.fixtures.ts'
import { pictureKey } from './pictures.ts'

describe('an event with a picture', () => {
  test.each([
    ['banner', 'jpeg', 'jpg'],
    ['photo', 'webp', 'webp'],
    ['banner', 'png', 'png'],
  ] as const)('returns its stored %s as %s', async (kind, format, extension) => {
    await using t = await startTestApp()
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

    const { status, headers, bytes: served } = await getPicture(t, kind)

    expect(served).toEqual(bytes)
    expect([status, headers.get('content-type')]).toEqual([200, `image/${format}`])
    expect(headers.get('etag')).toBe(`"${sha256.slice(0, 32)}"`)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    const revalidated = await getPicture(t, kind, { 'if-none-match': headers.get('etag') ?? '' })
    expect([revalidated.status, revalidated.bytes.length]).toEqual([304, 0])
    const part = await getPicture(t, kind, { range: 'bytes=2-5' })
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(2, 6)])
    const { programs } = await t.client.getEvent({ id: 1 })
    expect(programs[kind]).toBe(key)
    // Again, from the cache.
    expect((await getPicture(t, kind)).bytes).toEqual(bytes)
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
      await using t = await startTestApp()
      const bytes = Buffer.alloc(100, 'a')
      const id = await make.event(t)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const key = pictureKey(id as Parameters<typeof pictureKey>[0], 'banner', sha256, 'png')
      await (await t.ctx.blobs.stage([bytes], 1_000)).store(key)
      await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ banner: key }).execute())
      const [problem, apply] = damages[damage]
      await apply(join(t.dataDir, 'blobs', 'kept', key))

      const [whole, part] = [await getPicture(t, 'banner'), await getPicture(t, 'banner', { range: 'bytes=1-3' })]

      expect((await sharp(whole.bytes).metadata()).width).toBe(1200)
      expect([part.status, part.bytes.toString()]).toEqual([206, 'PNG'])
      expect(whole.headers.get('etag')).not.toContain(sha256.slice(0, 32))
      const metrics = await (await fetch(`${t.url}/metrics`)).text()
      expect(metrics).toContain(`summit_damaged_file_reads_total{problem="${problem}"} 2`)
    },
  )
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
    await using t = await startTestApp({ PAGE_CACHE_BYTES: '1000' })
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
    await using t = await startTestApp()
    const id = (await make.event(t)) as EventId
    await storeBanner(t, id, Buffer.alloc(0))
    for (let nth = 0; nth < 2; nth++) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(0))
  })

  test('are not served after the event has another picture', async () => {
    await using t = await startTestApp()
    const id = (await make.event(t)) as EventId
    for (const fill of [1, 2, 1]) {
      await storeBanner(t, id, Buffer.alloc(400, fill))
      for (let nth = 0; nth < 2; nth++) expect(await bannerOf(t, id)).toEqual(Buffer.alloc(400, fill))
    }
  })
})
