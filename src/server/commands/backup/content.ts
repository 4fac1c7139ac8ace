import { createHash } from 'node:crypto'

/** The size and hash of an object's content, before encryption. */
export interface Content {
  /** In bytes. */
  size: number
  /** Lower-case hex. */
  sha256: string
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Passes chunks on, and computes their size and hash. */
export function measureContent(source: Chunks): { chunks: AsyncGenerator<Uint8Array>; content(): Content } {
  const hash = createHash('sha256')
  let size = 0
  let sha256: string | undefined
  async function* chunks() {
    for await (const chunk of source) {
      hash.update(chunk)
      size += chunk.byteLength
      yield chunk
    }
  }
  return {
    chunks: chunks(),
    /** Call it once all chunks have been read. */
    content: () => {
      sha256 ??= hash.digest('hex')
      return { size, sha256 }
    },
  }
}
