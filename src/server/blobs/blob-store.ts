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
  /**
   * Puts the bytes under `key`, durably: after this resolves a power cut does not lose them. Call at most once.
   * @param by the moment (of `performance.now()`) at which a store that is elsewhere is given up, if not sooner
   */
  store(key: string, by?: number): Promise<void>
  /** Forgets the bytes; harmless after `store`. */
  discard(): Promise<void>
}

/** Bytes that have a key. */
export interface KeptBlob {
  readonly key: string
  /** In milliseconds since 1970, by the clock of the store. */
  readonly storedAt: number
}

/** How long (in ms) storing so many bytes may take before a store that is elsewhere counts as away: a modest speed. */
export const patience = (bytes: number): number => 8_000 * Math.max(1, bytes / (20 * 1024 * 1024))

/** Where bytes live. A key is a relative path of `a-z 0-9 - . /`, given once and never to other bytes. */
export interface BlobStore {
  /**
   * Takes in a stream without holding it in memory; done with each chunk when it asks for the next.
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
  /** To be called once a row names the key: until then it counts as left behind, should this process end. */
  confirm(key: string): Promise<void>
  /** Everything that is kept, in no order. */
  list(): AsyncIterable<KeptBlob>
  /**
   * What processes that have ended stored, among which may be what no row names. Call before the first request,
   * and only as the one that serves the folder.
   */
  leftBehind(): Promise<string[]>
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
