import type { Readable } from 'node:stream'

/** A contiguous run of bytes; both ends inclusive, as in HTTP (RFC 9110, 14.1.2). */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes that have arrived and are safe on disk, but have no key yet. */
export interface StagedBlob {
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
  /** The first bytes, as many as tell the media type. */
  readonly head: Uint8Array
  /** Puts the bytes under `key`, durably: after this resolves a power cut does not lose them. Call at most once. */
  store(key: string): Promise<void>
  /** Forgets the bytes; harmless after `store`. */
  discard(): Promise<void>
}

/** Where bytes live. A key is a relative path of `a-z 0-9 - . /`, given once and never to other bytes. */
export interface BlobStore {
  /**
   * Takes in a stream without holding it in memory.
   * @param maxBytes more than that is refused
   * @throws Failure TOO_LARGE, STORAGE_FULL, or what the source fails with; nothing is left behind then
   */
  stage(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>
  /** @returns the number of bytes under this key, or undefined when there is no such key */
  size(key: string): Promise<number | undefined>
  /** @returns the bytes, or undefined when there is no such key */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes a key; harmless when there is none. */
  remove(key: string): Promise<void>
  /** Every key, in no order. */
  keys(): AsyncIterable<string>
  /** Forgets what is staged. */
  close(): Promise<void>
}

/**
 * Opens what a row says is there.
 * @throws Error when it is not, which no request can cause: rows are written after their bytes
 */
export async function openKept(blobs: BlobStore, key: string, range?: ByteRange): Promise<Readable> {
  const bytes = await blobs.open(key, range)
  if (!bytes) throw new Error(`the blob ${key} is missing`)
  return bytes
}
