import { hash, type KeyObject } from 'node:crypto'
import { responseCodes, unsetTimestamp } from '../../contract/envelope.ts'
import { signatureOf, successMessage } from '../core/envelope.ts'
import type { Position } from '../db/open.ts'
import type { CachedOperationName, Part } from './dependencies.ts'
import type { Versioned } from './freshness.ts'
import { utf8Of } from './utf8.ts'

/** What a response begins with, up to the JSON text of `data`. */
const head = `[{"response_code":${responseCodes.success},"data":`

const noSignature = '0'.repeat(40)

/** And what it ends with. Both are what `envelope` writes; `cached-response.test.ts` compares them. */
const tail =
  `,"system":{"created_at":"${unsetTimestamp}","signature":"${noSignature}",` +
  `"message":"${successMessage(responseCodes.success)}"}}]`

/**
 * The whole body of a response as bytes, ready to send. From one second to the next only `created_at` and the signature
 * differ, 59 bytes near the end, which are overwritten. So it costs one HMAC a second, and otherwise nothing.
 */
export class CachedResponse implements Versioned {
  readonly name: CachedOperationName
  readonly parts: readonly Part[]
  position: Position
  readonly size: number
  readonly #key: KeyObject
  readonly #digest: string
  readonly #createdAtStart: number
  readonly #signatureStart: number
  #bytes: Buffer
  #createdAt = unsetTimestamp
  #isShared = false

  /** @param dataText the JSON text of `data` */
  constructor(key: KeyObject, dataText: string, { name, parts, position }: Versioned & { name: CachedOperationName }) {
    this.name = name
    this.parts = parts
    this.position = position
    this.#key = key
    this.#bytes = utf8Of(head, dataText, tail)
    this.size = this.#bytes.length
    const tailStart = this.size - tail.length
    this.#digest = hash('sha256', this.#bytes.subarray(head.length, tailStart))
    this.#createdAtStart = tailStart + tail.indexOf(unsetTimestamp)
    this.#signatureStart = tailStart + tail.indexOf(noSignature)
  }

  /** The body of a response that is sent at `createdAt`, printed. Not to be written to; see {@link markShared}. */
  at(createdAt: string): Buffer {
    if (createdAt === this.#createdAt) return this.#bytes
    if (this.#isShared) this.#bytes = copyOf(this.#bytes)
    this.#isShared = false
    this.#bytes.write(createdAt, this.#createdAtStart, 'latin1')
    const signature = signatureOf(this.#key, responseCodes.success, createdAt, this.#digest)
    this.#bytes.write(signature, this.#signatureStart, 'latin1')
    this.#createdAt = createdAt
    return this.#bytes
  }

  /** To be called before it is cached: its bytes may be part of a slab, all of which they would hold in memory. */
  detach(): void {
    if (this.#bytes.buffer.byteLength > this.size) this.#bytes = copyOf(this.#bytes)
  }

  /** Says that the bytes handed out last are not all sent yet: the next second gets a copy, and these stay as they are. */
  markShared(): void {
    this.#isShared = true
  }
}

function copyOf(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
