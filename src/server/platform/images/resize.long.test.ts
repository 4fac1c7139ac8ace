import { execFileSync } from 'node:child_process'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chunk, pngOf } from './resize.fixtures.ts'

test.each([
  ['PNG', pngOf(30_000, 30_000)],
  ['GIF', gifBomb(60_000, 60_000)],
])('a %s bomb is rejected within 2 s and 150 MB', (_, bomb) => {
  const { outcome, seconds, mebibytes } = measureResize(bomb)
  expect(outcome).toBe('The image has too many pixels; the limit is 40 million.')
  expect(seconds).toBeLessThan(2)
  expect(mebibytes).toBeLessThan(150)
})

test.each(['zTXt', 'iTXt'])('200 %s chunks of 8 MB are removed before they are decompressed', (type) => {
  const text = deflateSync(Buffer.alloc(8_000_000, 'a'))
  const start = type === 'zTXt' ? 'Comment\0\0' : 'Comment\0\x01\0\0\0'
  const bomb = pngOf(50, 40, Array(200).fill(chunk(type, Buffer.concat([Buffer.from(start, 'latin1'), text]))))
  const { outcome, seconds, mebibytes } = measureResize(bomb)
  expect(mebibytes).toBeLessThan(150)
  expect(seconds).toBeLessThan(2)
  expect(outcome).toBe('jpg')
})

/** Resizes an image in a process of its own and measures the time and memory used. */
function measureResize(image: Buffer): { outcome: string; seconds: number; mebibytes: number } {
  const script = `
    import { buffer } from 'node:stream/consumers'
    import { resizeImage } from ${JSON.stringify(new URL('resize.ts', import.meta.url).href)}
    const image = await buffer(process.stdin)
    const before = process.resourceUsage().maxRSS
    const cpu = process.cpuUsage()
    const fit = { width: 400, height: 400, crop: false }
    const outcome = await resizeImage(image, fit).then(({ extension }) => extension, ({ message }) => message)
    const { user, system } = process.cpuUsage(cpu)
    const seconds = (user + system) / 1e6
    console.log(JSON.stringify({ outcome, seconds, mebibytes: (process.resourceUsage().maxRSS - before) / 1024 }))`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: image })
  return JSON.parse(out.toString())
}

/** A GIF whose canvas and only frame claim the given size, with next to no data. */
function gifBomb(width: number, height: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const hex = (text: string) => Buffer.from(text, 'hex')
  const start = [hex('474946383961'), size, hex('800000'), hex('000000ffffff')]
  return Buffer.concat([...start, hex('2c00000000'), size, hex('00'), hex('0202440100'), hex('3b')])
}
