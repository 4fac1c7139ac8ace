import type { Readable } from 'node:stream'
import { DamagedBlob } from './damaged-blob.ts'
import { exactBytes } from './exact-bytes.ts'

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
export interface StoredBlob {
  readonly key: string
  /** In milliseconds since 1970, by the clock of the store. */
  readonly storedAt: number
}

/** How long (in ms) storing so many bytes may take before a store that is elsewhere counts as away: a modest speed. */
export const patience = (bytes: number): number => 8_000 * Math.max(1, bytes / (20 * 1024 * 1024))

/** Bytes that are open for reading. Who does not read them to their end destroys the stream. */
export interface OpenBlob {
  /** Of the whole blob, also where only a part of it is read. */
  readonly size: number
  readonly bytes: Readable
}

/** Where bytes can be read. A key is a relative path of `a-z 0-9 - . /`, given once and never to other bytes. */
export interface BlobReader {
  /** @returns the number of bytes under this key, or undefined when there is no such key */
  size(key: string): Promise<number | undefined>
  /** @returns undefined when there is no such key */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>
  close(): Promise<void>
}

/** Where bytes live. */
export interface BlobStore extends BlobReader {
  /**
   * Takes in a stream without holding it in memory; done with each chunk when it asks for the next.
   * @param maxBytes more than that is refused
   * @throws Failure TOO_LARGE, STORAGE_FULL, or what the source fails with; nothing is left behind then
   */
  stage(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>
  /** Removes a key; harmless when there is none. */
  remove(key: string): Promise<void>
  /** To be called once a row names the key: until then it counts as left behind, should this process end. */
  confirm(key: string): Promise<void>
  /** Everything that is kept, in no order. */
  list(): AsyncIterable<StoredBlob>
  /**
   * What processes that have ended stored, among which may be what no row names. Call before the first request,
   * and only as the one that serves the folder.
   */
  takePending(): Promise<string[]>
  /** Also forgets what is staged. */
  close(): Promise<void>
}

/** What a record says of stored bytes. */
export interface BlobRecord {
  key: string
  /** In bytes; undefined where the record does not have it. */
  size?: number | undefined
}

/** Stored bytes and the record that they belong to. */
export interface OwnedBlob extends BlobRecord {
  /** Of the content; undefined where nobody has kept it. */
  sha256: string | undefined
  /** The record, for a sentence. */
  owner: string
}

/**
 * Opens what a record says is there.
 * @returns a stream of exactly as many bytes as the record and the range say; it fails with DamagedBlob where they end early
 * @throws DamagedBlob when it is missing, or longer or shorter than the record says
 */
export async function openStored(blobs: BlobReader, { key, size }: BlobRecord, range?: ByteRange): Promise<Readable> {
  const blob = await blobs.open(key, range)
  if (!blob) throw new DamagedBlob(key, 'missing', { expected: size })
  const expected = size ?? blob.size
  if (blob.size !== expected) {
    blob.bytes.destroy()
    throw new DamagedBlob(key, 'wrong_size', { expected, found: blob.size })
  }
  const start = range?.start ?? 0
  const end = Math.min(range?.end ?? expected - 1, expected - 1)
  return exactBytes(
    blob.bytes,
    Math.max(0, end + 1 - start),
    (read) => new DamagedBlob(key, 'wrong_size', { expected, found: start + read }),
  )
}

/** Looks whether what a record says is there, without opening it. @throws DamagedBlob */
export async function verifySize(blobs: BlobReader, key: string, expected: number): Promise<void> {
  const found = await blobs.size(key)
  if (found === undefined) throw new DamagedBlob(key, 'missing', { expected })
  if (found !== expected) throw new DamagedBlob(key, 'wrong_size', { expected, found })
}
