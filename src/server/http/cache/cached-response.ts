import { hash } from 'node:crypto'
import { responseCodes, unsetTimestamp } from '../../../contract/envelope.ts'
import { successMessage } from '../../core/envelope.ts'
import type { HmacKey } from '../../core/hmac-key.ts'
import { signatureOf } from '../../core/response-signature.ts'
import type { Versioned } from '../../log/changes/freshness.ts'
import type { CachedOperationName, Dependency } from '../../operation.ts'
import type { Position } from '../../storage/db/open.ts'

/** The envelope before the JSON text of `data`. */
const head = `[{"response_code":${responseCodes.success},"data":`

const noSignature = '0'.repeat(40)

/** The envelope after the data. `cached-response.test.ts` compares both with what `envelope` writes. */
const tail =
  `,"system":{"created_at":"${unsetTimestamp}","signature":"${noSignature}",` +
  `"message":"${successMessage(responseCodes.success)}"}}]`

/**
 * The whole body of a response as bytes, ready to send. From one second to the next only `created_at` and the signature
 * differ: 59 bytes near the end, which are overwritten in place. A cached response costs one HMAC per second.
 */
export class CachedResponse implements Versioned {
  readonly name: CachedOperationName
  readonly dependencies: readonly Dependency[]
  position: Position
  /** Whether it is a list without records. */
  readonly isEmpty: boolean
  readonly size: number
  readonly #key: HmacKey
  readonly #digest: string
  readonly #createdAtStart: number
  readonly #signatureStart: number
  #bytes: Buffer
  #createdAt = unsetTimestamp
  #isShared = false

  /** @param dataText the JSON text of `data` */
  constructor(
    key: HmacKey,
    dataText: string,
    { name, isEmpty, dependencies, position }: Versioned & { name: CachedOperationName; isEmpty: boolean },
  ) {
    this.name = name
    this.isEmpty = isEmpty
    this.dependencies = dependencies
    this.position = position
    this.#key = key
    const text = head + dataText + tail
    this.size = Buffer.byteLength(text)
    // Not part of a block that Node shares between small buffers, and which a cached response would keep in memory.
    this.#bytes = Buffer.allocUnsafeSlow(this.size)
    this.#bytes.write(text)
    const tailStart = this.size - tail.length
    this.#digest = hash('sha256', this.#bytes.subarray(head.length, tailStart))
    this.#createdAtStart = tailStart + tail.indexOf(unsetTimestamp)
    this.#signatureStart = tailStart + tail.indexOf(noSignature)
  }

  /** The body for a response sent at `createdAt`, a formatted timestamp. Read-only; see {@link markShared}. */
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

  /** Marks the bytes that {@link at} last returned as still being sent: the next second is written to a copy. */
  markShared(): void {
    this.#isShared = true
  }
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
