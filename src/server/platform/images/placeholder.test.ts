import { createHash } from 'node:crypto'
import sharp, { type Region } from 'sharp'
import { describe, expect, test } from 'vitest'
import { coloursOf } from './placeholder.fixtures.ts'
import { drawPlaceholder, renderPlaceholderSvg } from './placeholder.ts'
import { drawingVersion } from './placeholder-version.ts'

const banner = (id: number, title: string) => drawPlaceholder({ id, title, kind: 'banner' })
const photo = (id: number, title: string) => drawPlaceholder({ id, title, kind: 'photo' })

/** Where a banner's title starts, left of the logo drawn without a title. */
const titleRegion: Region = { left: 88, top: 200, width: 380, height: 230 }

const whiteIn = async (png: Buffer, region: Region) =>
  (await coloursOf(png, region)).filter((colour) => colour === '#ffffff').length

describe('the picture', () => {
  test.each([
    ['banner', 1200, 628],
    ['photo', 400, 400],
  ] as const)('%s is an opaque PNG of %i x %i', async (kind, width, height) => {
    const metadata = await sharp(await drawPlaceholder({ id: 7, title: 'Opening keynote', kind })).metadata()
    expect(metadata).toMatchObject({ format: 'png', width, height, hasAlpha: false })
  })

  test('is the same for the same event, and differs by id and title', async () => {
    const first = await banner(1, 'Lunch')
    expect(await banner(1, 'Lunch')).toEqual(first)
    expect(await banner(2, 'Lunch')).not.toEqual(first)
    expect(await banner(1, 'Dinner')).not.toEqual(first)
    expect(await banner(1 + 2 ** 32, 'Lunch')).not.toEqual(first)
  })

  test('changes only together with its version, which clients use for caching', async () => {
    const hash = createHash('sha256')
    for (let id = 1; id <= 12; id++)
      for (const kind of ['banner', 'photo'] as const)
        for (const title of ['Opening keynote, and what comes — after it', ''])
          hash.update(await renderPlaceholderSvg({ id, title, kind }))
    // If this fails, the drawing has changed: increment drawingVersion and update the digest.
    expect([drawingVersion, hash.digest('hex')]).toEqual([
      2,
      'f07e7df8f65d77bb8a8d7de2ca0a7959cad2711ee68f660ea7c01f2a87f8f7cc',
    ])
  })

  test('has white letters where the title goes, and background without a title', async () => {
    const [titled, empty] = [await banner(3, 'Opening keynote'), await banner(3, '')]
    expect(await whiteIn(titled, titleRegion)).toBeGreaterThan(3000)
    expect(await whiteIn(empty, titleRegion)).toBe(0)
    const spread = async (png: Buffer) =>
      (await sharp(await sharp(png).extract(titleRegion).toBuffer()).stats()).channels[0]
    expect((await spread(titled))?.stdev).toBeGreaterThan(3 * ((await spread(empty))?.stdev ?? 0))
  })

  test('has a pattern and a logo without a title', async () => {
    const corner = await coloursOf(await banner(3, ''), { left: 800, top: 0, width: 400, height: 628 })
    expect(new Set(corner).size).toBeGreaterThan(100)
    expect(await whiteIn(await banner(3, ''), { left: 500, top: 214, width: 200, height: 200 })).toBeGreaterThan(3000)
    expect(await whiteIn(await photo(3, ''), { left: 100, top: 100, width: 200, height: 200 })).toBeGreaterThan(1000)
  })
})

describe('a hostile title', () => {
  test('cannot inject SVG', async () => {
    const corner: Region = { left: 0, top: 0, width: 80, height: 80 }
    const plain = await coloursOf(await banner(5, 'Lunch'), corner)
    for (const title of [
      '"/></g><rect width="1200" height="628" fill="#f00"/>',
      '</svg><script>alert(1)</script>',
      '&lt;&#60; &amp; <!-- ]]>',
      '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
    ]) {
      expect(await coloursOf(await banner(5, title), corner), title).toEqual(plain)
    }
  })

  test.each([
    ['right to left', 'מבוא لمؤتمر'],
    ['emoji', '👩‍👩‍👧‍👦🎉'],
    ['CJK', '開会の挨拶'],
    ['Hebrew with digits', 'טקס הפתיחה 2030'],
    ['Japanese with Latin', 'Kubernetes と Docker の違い'],
    ['controls', '\u0000\u0007\u202e\u200f\ufeff'],
    ['lone surrogates', '\ud83d \udc00'],
    ['punctuation', '—…!?'],
  ])('%s becomes the plain logo', async (_, title) => {
    for (const kind of ['banner', 'photo'] as const)
      expect(await renderPlaceholderSvg({ id: 6, title, kind })).toBe(
        await renderPlaceholderSvg({ id: 6, title: '', kind }),
      )
  })

  test('of 1,000 characters stays inside its margins', async () => {
    for (const title of ['W'.repeat(1000), 'Word '.repeat(200), 'é'.normalize('NFD').repeat(500)]) {
      const png = await banner(8, title)
      expect(await whiteIn(png, titleRegion)).toBeGreaterThan(3000)
      expect(await whiteIn(png, { left: 1125, top: 0, width: 75, height: 628 })).toBe(0)
    }
  })
})
