const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** The chunks, besides the critical ones, that say what a picture looks like. */
const visible = new Set(['tRNS', 'cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'eXIf'])

/** Length, type and checksum of a chunk. */
const overhead = 12

/**
 * A PNG with its critical chunks, and the first of each kind that says what it looks like. Texts are left out above all:
 * a compressed one of 8 KB may stand for 8 MB, and libpng keeps all of them decompressed. Where the chunks are
 * malformed, the rest stays for the decoder to refuse; what is no PNG comes back as it is.
 */
export function withoutPngMetadata(image: Buffer): Buffer {
  if (!image.subarray(0, signature.length).equals(signature)) return image
  const kept = Buffer.allocUnsafe(image.length)
  const seen = new Set<string>()
  let size = image.copy(kept, 0, 0, signature.length)
  let at = signature.length
  while (at + overhead <= image.length) {
    const end = at + overhead + image.readUInt32BE(at)
    if (end > image.length) break
    const type = image.toString('latin1', at + 4, at + 8)
    if (isCritical(type) || (visible.has(type) && !seen.has(type))) {
      size += image.copy(kept, size, at, end)
      if (!isCritical(type)) seen.add(type)
    }
    at = end
    if (type === 'IEND') return kept.subarray(0, size)
  }
  return kept.subarray(0, size + image.copy(kept, size, at))
}

/** PNG section 5.4: the first letter of a critical chunk is in upper case. */
const isCritical = (type: string): boolean => (type.charCodeAt(0) & 0x20) === 0
