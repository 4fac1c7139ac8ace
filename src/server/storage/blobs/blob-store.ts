import { pipeline, type Readable, Transform } from 'node:stream'
import { DamagedBlob } from './damaged-blob.ts'

/** A contiguous run of bytes; both ends inclusive, as in HTTP (RFC 9110, 14.1.2). */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes that were received and are on disk, but have no key yet. */
export interface StagedBlob {
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
  /** The first bytes, enough to detect the media type. */
  readonly head: Uint8Array
  /** The local file that holds them, until they are stored or discarded. */
  readonly path: string
  /**
   * Stores the bytes under `key`. Once this resolves they survive a power cut. Call it at most once.
   * @param deadline the moment (of `performance.now()`) at which a remote store is given up, if not sooner
   */
  store(key: string, deadline?: number): Promise<void>
  /** Deletes the staged bytes; harmless after `store`. */
  discard(): Promise<void>
}

/** Bytes that have a key. */
export interface StoredBlob {
  readonly key: string
  /** In bytes. */
  readonly size: number
  /** In milliseconds since 1970, by the clock of the store. */
  readonly storedAt: number
}

/**
 * Milliseconds after which a remote store that has not stored this many bytes counts as unavailable: a modest speed.
 */
export const storeTimeoutMs = (bytes: number): number => 8_000 * Math.max(1, bytes / (20 * 1024 * 1024))

/** A blob that is open for reading. A caller that does not read it to the end must destroy the stream. */
export interface OpenBlob {
  /** The size of the whole blob, even if only a range of it is read. */
  readonly size: number
  readonly bytes: Readable
}

/** Reads blobs. A key is a relative path of `a-z 0-9 - . /`, and is never reused for other bytes. */
export interface BlobReader {
  /** @returns the number of bytes under this key, or undefined when there is no such key */
  size(key: string): Promise<number | undefined>
  /** @returns undefined when there is no such key */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>
  /** All stored blobs, or those in a folder such as `participants/1/`, in no particular order. */
  list(folder?: string): AsyncIterable<StoredBlob>
  close(): Promise<void>
}

/** Stores and reads blobs. */
export interface BlobStore extends BlobReader {
  /**
   * Receives a stream without buffering it in memory. A chunk may be reused once the next one is requested.
   * @param maxBytes the maximum size
   * @throws Failure TOO_LARGE, STORAGE_FULL, or the error of the source; leaves nothing on disk then
   */
  stage(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<StagedBlob>
  /** Removes a blob; harmless when there is none. */
  remove(key: string): Promise<void>
  /** Call it once a row with the key is committed. Until then the key is pending: see `takePending`. */
  confirm(key: string): Promise<void>
  /**
   * Takes over the pending keys of processes that have ended; some of them may have no row. Call it before the first
   * request, and only in the process that serves the folder.
   */
  takePending(): Promise<string[]>
  /** Also deletes staged bytes. */
  close(): Promise<void>
}

/** The key and size of a blob, according to the record that refers to it. */
export interface BlobRecord {
  key: string
  /** In bytes; undefined if the record does not have it. */
  size?: number | undefined
}

/** A blob and the record that it belongs to. */
export interface OwnedBlob extends BlobRecord {
  /** Of the content; undefined if it was not recorded. */
  sha256: string | undefined
  /** The record, for a message. */
  owner: string
}

/**
 * Opens a blob, and checks its size against the record.
 * @returns a stream of exactly as many bytes as the record and the range require; it fails with DamagedBlob if they
 *   end early
 * @throws DamagedBlob when the blob is missing, or its size differs from the record's
 */
export async function openStoredBlob(
  blobs: BlobReader,
  { key, size }: BlobRecord,
  range?: ByteRange,
): Promise<Readable> {
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

/** Checks the existence and size of a blob without opening it. @throws DamagedBlob */
export async function verifySize(blobs: BlobReader, key: string, expected: number): Promise<void> {
  const found = await blobs.size(key)
  if (found === undefined) throw new DamagedBlob(key, 'missing', { expected })
  if (found !== expected) throw new DamagedBlob(key, 'wrong_size', { expected, found })
}

/**
 * Passes on exactly `length` bytes, even if the source changes meanwhile: with more or fewer bytes than announced, the
 * client would misread the next response on the connection. A surplus is dropped.
 * @param tooShort creates the error with which the stream fails if the source ends early
 */
function exactBytes(source: Readable, length: number, tooShort: (found: number) => Error): Readable {
  let remaining = length
  const exact = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = chunk.subarray(0, remaining)
      remaining -= bytes.length
      done(null, bytes)
    },
    flush(done) {
      done(remaining > 0 ? tooShort(length - remaining) : null)
    },
  })
  // `pipeline` passes errors to the reader of `exact`, and destroying that closes the source.
  return pipeline(source, exact, () => {})
}
