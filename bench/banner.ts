import { crc32, deflateSync } from 'node:zlib'
import { seededRandom } from './random.ts'

/** A valid PNG of about 200 KB: 256 by 260 pixels of noise, which does not compress. */
export function bannerPng(): Buffer {
  const [width, height] = [256, 260]
  const random = seededRandom(7)
  // Each row begins with its filter type, 0 for none (PNG, 9.2).
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width * 3; x++) rows[y * (width * 3 + 1) + 1 + x] = Math.floor(random() * 256)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = 2
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const pixels = deflateSync(rows, { level: 1 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
