const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Ancillary chunks that affect how a picture looks. */
const visualChunks = new Set(['tRNS', 'cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'eXIf'])

/** The bytes of a chunk's length, type and checksum. */
const chunkOverhead = 12

/**
 * Removes all chunks of a PNG but the critical ones and the first of each kind that affects how it looks. This is
 * mainly for texts: 8 KB of compressed text may expand to 8 MB, and libpng holds all of them decompressed in memory.
 * From a malformed chunk on, the bytes are left to the decoder to reject. Any other format is returned unchanged.
 */
export function stripPngMetadata(image: Buffer): Buffer {
  if (!image.subarray(0, signature.length).equals(signature)) return image
  const stripped = Buffer.allocUnsafe(image.length)
  const seen = new Set<string>()
  let size = image.copy(stripped, 0, 0, signature.length)
  let at = signature.length
  while (at + chunkOverhead <= image.length) {
    const end = at + chunkOverhead + image.readUInt32BE(at)
    if (end > image.length) break
    const type = image.toString('latin1', at + 4, at + 8)
    if (isCritical(type) || (visualChunks.has(type) && !seen.has(type))) {
      size += image.copy(stripped, size, at, end)
      if (!isCritical(type)) seen.add(type)
    }
    at = end
    if (type === 'IEND') return stripped.subarray(0, size)
  }
  return stripped.subarray(0, size + image.copy(stripped, size, at))
}

/** PNG section 5.4: the first letter of a critical chunk is in upper case. */
const isCritical = (type: string): boolean => (type.charCodeAt(0) & 0x20) === 0
