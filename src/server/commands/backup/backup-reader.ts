import { createHash } from 'node:crypto'
import { type BlobReader, openStoredBlob } from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import { type Content, measureContent } from './content.ts'
import { DecryptionFailed, type Encryption, isEncrypted } from './encryption.ts'
import { isOwnObject } from './object-names.ts'

/** A backup cannot be used as it is stored. The message is a clause that names the object. */
export class DamagedBackup extends Error {
  override readonly name: string = 'DamagedBackup'
}

/** An object cannot be decrypted with `BACKUP_KEY`, which may be another key than the one that encrypted it. */
export class KeyMismatch extends DamagedBackup {
  override readonly name = 'KeyMismatch'
}

/**
 * Reads the objects of all backups of a summit: for each backup a folder with its manifest and its database, and in
 * `files/` the stored files of all of them by their content, each once.
 */
export class BackupReader {
  readonly #blobs: BlobReader
  protected readonly encryption: Encryption | undefined

  /** @param encryption of the objects; undefined for plain ones */
  constructor(blobs: BlobReader, encryption: Encryption | undefined) {
    this.#blobs = blobs
    this.encryption = encryption
  }

  get isEncrypted(): boolean {
    return this.encryption !== undefined
  }

  /** The object of a file with this content. @param sha256 lower-case hex */
  fileName(sha256: string): string {
    const name = this.encryption?.nameOf(sha256) ?? sha256
    return `files/${name.slice(0, 2)}/${name}`
  }

  /** The size of the object that stores content of this size. */
  storedSize(size: number): number {
    return size + (this.encryption?.overhead ?? 0)
  }

  /**
   * Reads an object, and compares its content.
   * @returns its chunks; they are the right ones only once the last one has been read without an error
   * @throws DamagedBackup when it is missing or has other content
   */
  async *read(name: string, expected?: Content): AsyncGenerator<Uint8Array> {
    try {
      const stored = await openStoredBlob(this.#blobs, { key: name })
      const { chunks, content } = measureContent(this.encryption ? this.encryption.decrypt(stored) : stored)
      yield* chunks
      const { sha256, size } = content()
      if (expected && (sha256 !== expected.sha256 || size !== expected.size))
        throw new DamagedBackup(`${name} has changed since it was stored`)
    } catch (error) {
      if (error instanceof DamagedBlob)
        throw new DamagedBackup(`${name} is ${error.problem === 'missing' ? 'missing' : 'truncated'}`, { cause: error })
      if (error instanceof DecryptionFailed) throw new KeyMismatch(`${name} ${error.message}`, { cause: error })
      throw error
    }
  }

  /** Reads an object to its end. @throws DamagedBackup when it is missing or has other content */
  async verify(name: string, expected: Content): Promise<void> {
    for await (const _ of this.read(name, expected));
  }

  /** The names of all objects, with their sizes as stored. Files of others in the location are left out. */
  async list(): Promise<Map<string, number>> {
    const objects = new Map<string, number>()
    for await (const { key, size } of this.#blobs.list()) if (isOwnObject(key)) objects.set(key, size)
    return objects
  }

  close(): Promise<void> {
    return this.#blobs.close()
  }
}

/** A text that begins with its own SHA-256, so that damage shows. */
export const withHash = (text: string): string => `${createHash('sha256').update(text).digest('hex')}\n${text}\n`

/** Reads the text of an object that begins with its own hash. @throws DamagedBackup */
export async function readHashed(store: BackupReader, name: string): Promise<string> {
  const bytes = Buffer.concat(await Array.fromAsync(store.read(name)))
  if (!store.isEncrypted && isEncrypted(bytes)) throw new KeyMismatch(`${name} is encrypted: set BACKUP_KEY`)
  const text = bytes.subarray(bytes.indexOf('\n') + 1, -1).toString()
  if (!bytes.equals(Buffer.from(withHash(text)))) throw new DamagedBackup(`${name} is truncated or was altered`)
  return text
}
