import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type BlobStore, openKept } from '../blobs/blob-store.ts'
import { DamagedBlob } from '../blobs/damaged-blob.ts'

/** Larger ones are streamed. */
const largest = 1024 * 1024

/**
 * Stored pictures that were asked for, as bytes, at most so many of them; those that came first go first. A key is
 * never given to other bytes, so they stay right, and everybody looks at the same few banners.
 */
export class RecentPictures {
  readonly #blobs: BlobStore
  readonly #maxBytes: number
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  constructor(blobs: BlobStore, maxBytes: number) {
    this.#blobs = blobs
    this.#maxBytes = maxBytes
  }

  get(key: string): Buffer | undefined {
    return this.#kept.get(key)
  }

  /** Whether a picture of so many bytes would be kept. */
  keeps(size: number): boolean {
    return size <= Math.min(largest, this.#maxBytes)
  }

  /**
   * Reads a picture and keeps it.
   * @param sha256 of its content, if that is known
   * @throws DamagedBlob
   */
  async read(key: string, size: number, sha256?: string): Promise<Buffer> {
    const bytes = await buffer(await openKept(this.#blobs, { key, size }))
    if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new DamagedBlob(key, 'wrong_content')
    if (!this.#kept.has(key)) this.#bytes += size
    this.#kept.set(key, bytes)
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
    return bytes
  }
}
