import { createSecretKey, hash, type KeyObject } from 'node:crypto'

/** Bytes of a block of SHA-256, and of its result (FIPS 180-4). */
const [blockBytes, hashBytes] = [64, 32]

/** UTF-8 takes at most so many bytes for a UTF-16 code unit. */
const maxBytesPerUnit = 3

/**
 * A key of HMAC-SHA-256 (RFC 2104), for a text with every response and every change. Two one-shot hashes take half the
 * time of `createHmac`, whose objects are also costly to collect.
 */
export class HmacKey {
  readonly #key: KeyObject
  /** The padded key and the text; grows with the text. */
  #inner = Buffer.alloc(blockBytes + 1024)
  /** The padded key and the inner hash. */
  readonly #outer = Buffer.alloc(blockBytes + hashBytes)

  /** @param bytes at most 64 */
  constructor(bytes: Buffer) {
    if (bytes.length > blockBytes)
      throw new RangeError(`The key has ${bytes.length} bytes; the limit is ${blockBytes}.`)
    this.#key = createSecretKey(bytes)
    for (let at = 0; at < blockBytes; at++) {
      this.#inner[at] = (bytes[at] ?? 0) ^ 0x36
      this.#outer[at] = (bytes[at] ?? 0) ^ 0x5c
    }
  }

  static fromHex(digits: string): HmacKey {
    return new HmacKey(Buffer.from(digits, 'hex'))
  }

  /** The code of a text in UTF-8, as 64 hex digits. */
  digest(text: string): string {
    const maxEnd = blockBytes + maxBytesPerUnit * text.length
    // Fills up with zeros.
    if (maxEnd > this.#inner.length) this.#inner = Buffer.concat([this.#inner.subarray(0, blockBytes)], maxEnd)
    const end = blockBytes + this.#inner.write(text, blockBytes)
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'binary'), blockBytes, 'binary')
    return hash('sha256', this.#outer)
  }

  equals(other: HmacKey): boolean {
    return this.#key.equals(other.#key)
  }

  toHex(): string {
    return this.#key.export().toString('hex')
  }
}
