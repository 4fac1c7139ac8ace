import { createCipheriv, createDecipheriv, createHmac, type DecipherGCM, hkdfSync, randomBytes } from 'node:crypto'

/** Begins every encrypted object, so that one is never mistaken for a plain one. */
const magic = Buffer.from('SUMMIT01')

export const isEncrypted = (bytes: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic)

/** In bytes; the sizes that NIST SP 800-38D recommends. */
const ivBytes = 12
const tagBytes = 16
const headBytes = magic.length + ivBytes

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * An object was not encrypted with this key, or was altered or truncated. The message follows the name of the object.
 */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed'
}

/**
 * Encrypts objects of backups by AES-256-GCM, in streams. An encrypted object is `SUMMIT01`, a random IV of 12 bytes,
 * the ciphertext, and the tag of 16 bytes.
 */
export class Encryption {
  readonly #objectKey: Buffer
  readonly #nameKey: Buffer

  /** @param key 32 bytes, from which one key for the content and one for the names are derived (HKDF, RFC 5869) */
  constructor(key: Buffer) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `summit backup ${purpose}`, 32))
    this.#objectKey = derive('objects')
    this.#nameKey = derive('names')
  }

  /** The name of a file, derived from its content without revealing it. @param sha256 lower-case hex */
  nameOf(sha256: string): string {
    return createHmac('sha256', this.#nameKey).update(sha256).digest('hex')
  }

  /** The bytes that are added to an object. */
  get overhead(): number {
    return headBytes + tagBytes
  }

  async *encrypt(source: Chunks): AsyncGenerator<Uint8Array> {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#objectKey, iv)
    yield Buffer.concat([magic, iv])
    for await (const chunk of source) yield cipher.update(chunk)
    yield cipher.final()
    yield cipher.getAuthTag()
  }

  /**
   * The bytes are authentic only once the last one has been read without an error.
   * @throws DecryptionFailed
   */
  async *decrypt(source: Chunks): AsyncGenerator<Uint8Array> {
    let pending: Buffer = Buffer.alloc(0)
    let decipher: DecipherGCM | undefined
    for await (const chunk of source) {
      pending = Buffer.concat([pending, chunk])
      if (!decipher && pending.length >= headBytes) {
        decipher = this.#decipherOf(pending.subarray(0, headBytes))
        pending = pending.subarray(headBytes)
      }
      // The last bytes may be the tag.
      const end = pending.length - tagBytes
      if (!decipher || end <= 0) continue
      yield decipher.update(pending.subarray(0, end))
      pending = pending.subarray(end)
    }
    if (!decipher || pending.length !== tagBytes) throw new DecryptionFailed('is truncated or not encrypted')
    try {
      yield decipher.setAuthTag(pending).final()
    } catch (error) {
      throw new DecryptionFailed('was altered, or encrypted with another BACKUP_KEY', { cause: error })
    }
  }

  #decipherOf(head: Buffer): DecipherGCM {
    if (!isEncrypted(head)) throw new DecryptionFailed('is not encrypted with BACKUP_KEY')
    return createDecipheriv('aes-256-gcm', this.#objectKey, head.subarray(magic.length), { authTagLength: tagBytes })
  }
}
