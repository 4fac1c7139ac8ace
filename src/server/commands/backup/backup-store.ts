import { OperatorError } from '../../core/errors.ts'
import { Failure } from '../../core/failure.ts'
import type { BlobStore } from '../../storage/blobs/blob-store.ts'
import { clearStaging } from '../../storage/blobs/staging.ts'
import { BackupReader } from './backup-reader.ts'
import { type Chunks, type Content, measureContent } from './content.ts'
import type { Encryption } from './encryption.ts'

/** Stores and removes the objects of backups, too. */
export class BackupStore extends BackupReader {
  readonly #blobs: BlobStore
  readonly #stagedIn: string

  /**
   * @param stagedIn the folder in which `blobs` stages objects
   * @param encryption of new objects and those read; undefined for plain ones
   */
  constructor(blobs: BlobStore, stagedIn: string, encryption: Encryption | undefined) {
    super(blobs, encryption)
    this.#blobs = blobs
    this.#stagedIn = stagedIn
  }

  /** Stores an object. It appears with all its bytes, or not at all. */
  write(name: string, source: Chunks): Promise<Content> {
    return this.#store(source, () => name)
  }

  /** Stores a file under the name of its content. */
  writeFile(source: Chunks): Promise<Content> {
    return this.#store(source, ({ sha256 }) => this.fileName(sha256))
  }

  /** Removes what interrupted backups have staged. Call it while no other backup is being made. */
  async clearStaging(): Promise<void> {
    await clearStaging(this.#stagedIn, { isShared: false })
    // Objects without a manifest are removed once the backup is made, so none stays pending.
    for (const name of await this.#blobs.takePending()) await this.#blobs.confirm(name)
  }

  remove(name: string): Promise<void> {
    return this.#blobs.remove(name)
  }

  async #store(source: Chunks, nameOf: (content: Content) => string): Promise<Content> {
    const { chunks, content } = measureContent(source)
    const staged = await this.#stage(this.encryption ? this.encryption.encrypt(chunks) : chunks)
    try {
      const name = nameOf(content())
      await staged.store(name)
      await this.#blobs.confirm(name)
      return content()
    } finally {
      await staged.discard()
    }
  }

  async #stage(source: Chunks) {
    try {
      return await this.#blobs.stage(source, Number.POSITIVE_INFINITY)
    } catch (error) {
      if (!(error instanceof Failure && error.reason === 'STORAGE_FULL')) throw error
      throw new OperatorError(`The disk of ${this.#stagedIn} is full.`, { cause: error })
    }
  }
}
