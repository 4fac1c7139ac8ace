import { existsSync } from 'node:fs'
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { placeholderVersion } from '../../platform/images/placeholder-version.ts'
import { getPicture } from './pictures.fixtures.ts'
import { updateRecord } from './records.ts'

const kinds = ['banner', 'photo'] as const

describe('the placeholder of an event without a picture', () => {
  test.each([
    ['banner', 1200, 628],
    ['photo', 400, 400],
  ] as const)('for a %s is a PNG of %i by %i', async (kind, width, height) => {
    await using t = await startTestApp()
    await make.event(t, { title: 'Opening', speaker: 'Ana Cruz' })
    const { status, headers, bytes } = await getPicture(t, kind)
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
      await using t = await startTestApp()
      await make.event(t, { title })
      const [{ bytes, headers }, again] = [await getPicture(t, kind), await getPicture(t, kind)]
      expect(again.bytes.equals(bytes)).toBe(true)
      expect(again.headers.get('etag')).toBe(headers.get('etag'))
      return { bytes, etag: headers.get('etag') }
    }
    const [first, second, other] = [await drawnFor('Opening'), await drawnFor('Opening'), await drawnFor('Closing')]
    expect(second).toEqual(first)
    expect(other.etag).not.toBe(first.etag)
  })

  test.each(kinds)('for a %s is not sent to a client that already has it', async (kind) => {
    await using t = await startTestApp()
    await make.event(t)
    const etag = (await getPicture(t, kind)).headers.get('etag') ?? ''
    const revalidated = await getPicture(t, kind, { 'if-none-match': etag })
    expect([revalidated.status, revalidated.bytes.length, revalidated.headers.get('etag')]).toEqual([304, 0, etag])
    expect((await getPicture(t, kind, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await getPicture(t, kind)).status).toBe(200)
  })

  test('is drawn for any title', async () => {
    await using t = await startTestApp()
    await make.event(t, { title: '<script>&🍲'.repeat(500), speaker: '\u202E' })
    for (const kind of kinds)
      expect(await sharp((await getPicture(t, kind)).bytes).metadata()).toMatchObject({ format: 'png' })
  })

  test('supports ranges and HEAD', async () => {
    await using t = await startTestApp()
    await make.event(t)
    const { bytes } = await getPicture(t, 'banner')
    const part = await getPicture(t, 'banner', { range: 'bytes=1-3' })
    expect([part.status, part.bytes.toString()]).toEqual([206, 'PNG'])
    const head = await getPicture(t, 'banner', {}, 'HEAD')
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(String(bytes.length))
  })

  test('is also served if the stored picture is missing', async () => {
    await using t = await startTestApp()
    await make.event(t, { banner: 'program/1/banner-lost.jpg' })
    const { status, headers } = await getPicture(t, 'banner')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  })
})

describe('placeholder files', () => {
  const placeholderDir = (t: TestApp) => join(t.dataDir, 'placeholders')

  test('are cached, one of each kind per event, and read again', async () => {
    await using t = await startTestApp()
    await make.event(t, { title: 'Opening' })
    for (const title of ['Closing', 'Party']) {
      await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ title }).execute())
      for (const kind of kinds) await getPicture(t, kind)
    }
    expect((await readdir(placeholderDir(t))).sort()).toEqual(['1-banner', '1-photo'])
    const before = await stat(join(placeholderDir(t), '1-banner'))
    await getPicture(t, 'banner')
    expect((await stat(join(placeholderDir(t), '1-banner'))).mtimeMs).toBe(before.mtimeMs)
  })

  test('are not drawn for a client that already has the picture', async () => {
    await using t = await startTestApp()
    await make.event(t, { title: 'Opening' })
    const etag = `"${placeholderVersion({ id: 1, title: 'Opening', kind: 'banner' }).slice(0, 32)}"`
    expect((await getPicture(t, 'banner', { 'if-none-match': etag })).status).toBe(304)
    expect(existsSync(placeholderDir(t))).toBe(false)
    expect((await getPicture(t, 'banner')).headers.get('etag')).toBe(etag)
  })

  test('are drawn again if damaged, or if the folder cannot be written to', async () => {
    await using t = await startTestApp()
    await make.event(t)
    const { bytes } = await getPicture(t, 'banner')
    await truncate(join(placeholderDir(t), '1-banner'), 1_000)
    expect((await getPicture(t, 'banner')).bytes.equals(bytes)).toBe(true)
    await rm(placeholderDir(t), { recursive: true })
    await writeFile(placeholderDir(t), 'no folder')
    expect((await getPicture(t, 'banner')).bytes.equals(bytes)).toBe(true)
  })
})

test.each(kinds)('the %s of a deleted or unknown event is a failure in an envelope', async (kind) => {
  await using t = await startTestApp()
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

describe('the photo of a speaker', () => {
  const speakerPhoto = '/api/program/speakers/1/photo'

  const load = async (t: TestApp, path = speakerPhoto, headers: Record<string, string> = {}) => {
    const response = await fetch(t.url + path, { headers })
    return { response, etag: response.headers.get('etag') ?? '', bytes: Buffer.from(await response.arrayBuffer()) }
  }

  test('is drawn, also where there is one elsewhere, and again after a change of the name', async () => {
    await using t = await startTestApp()
    await make.event(t, { speaker: 'Ana Cruz' })
    await inCommand(t, (scope) => updateRecord(scope, 'speaker', 1, { photo: 'https://photos.example/ana.jpg' }))
    const { response, bytes, etag } = await load(t)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 400, height: 400 })
    const again = await load(t, speakerPhoto, { 'if-none-match': etag })
    expect([again.response.status, again.bytes.length]).toEqual([304, 0])
    await inCommand(t, (scope) => updateRecord(scope, 'speaker', 1, { name: 'Zoë Quist' }))
    const renamed = await load(t, speakerPhoto, { 'if-none-match': etag })
    expect(renamed.response.status).toBe(200)
    expect(renamed.bytes.equals(bytes)).toBe(false)
  })

  test('is not mistaken for that of the event with the same id', async () => {
    await using t = await startTestApp()
    await make.event(t, { title: 'Opening' })
    await make.event(t, { title: 'Closing', speaker: 'Ben' })
    const eventPhoto = '/api/program/photo/get/1'
    const [{ bytes: ofEvent }, { bytes: ofSpeaker }] = [await load(t, eventPhoto), await load(t)]
    expect(ofSpeaker.equals(ofEvent)).toBe(false)
    expect((await load(t, eventPhoto)).bytes.equals(ofEvent)).toBe(true)
    expect((await readdir(join(t.dataDir, 'placeholders'))).sort()).toEqual(['1-photo', 'speaker-1'])
  })

  test('is drawn for any name', async () => {
    await using t = await startTestApp()
    await make.event(t, { speaker: '', company: 'Summit Inc.' })
    await make.event(t, { speaker: '\u202E<script>🍲' })
    for (const id of [1, 2]) {
      const { bytes } = await load(t, `/api/program/speakers/${id}/photo`)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png' })
    }
  })

  test('does not exist without an event that is not deleted', async () => {
    await using t = await startTestApp()
    await make.event(t, { speaker: 'Ana Cruz' })
    expect((await load(t)).response.headers.get('content-type')).toBe('image/png')
    await t.ctx.database.transaction((tx) => tx.updateTable('event').set({ is_deleted: 1 }).execute())
    for (const id of [1, 9])
      expect(await make.send(t, 'GET', `/api/program/speakers/${id}/photo`)).toMatchObject({
        response_code: 4040,
        data: { reason: 'SPEAKER_NOT_FOUND' },
      })
  })
})

describe('the URL of the banner', () => {
  const app = setUpSharedApp({}, make.event)

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

  test('is based on PUBLIC_URL if set, regardless of the Host header', async () => {
    await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example/app/' })
    await make.event(t)
    expect(await imageUrlFor(t, 'evil.example')).toBe('https://summit.example/app/api/program/banner/get/1')
  })
})
