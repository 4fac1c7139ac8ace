import { hash, type KeyObject } from 'node:crypto'
import { responseCodes, unsetTimestamp } from '../../contract/envelope.ts'
import type { Position } from '../db/open.ts'
import { signatureOf, successMessage } from '../http/envelope.ts'
import type { PageName, Part } from './dependencies.ts'
import type { Made } from './freshness.ts'
import { utf8Of } from './utf8.ts'

/** What an answer of a page begins with, up to the JSON text of `data`. */
const head = `[{"response_code":${responseCodes.success},"data":`

const noSignature = '0'.repeat(40)

/** And what it ends with. Both are what `envelope` writes; `page.test.ts` compares them. */
const tail =
  `,"system":{"created_at":"${unsetTimestamp}","signature":"${noSignature}",` +
  `"message":"${successMessage(responseCodes.success)}"}}]`

/**
 * An answer, ready to send: the whole body as bytes. All that differs from one second to the next is when it was made
 * and its signature, 59 bytes near the end, which are written over. So it costs one HMAC a second, and otherwise nothing.
 */
export class Page implements Made {
  readonly name: PageName
  readonly parts: readonly Part[]
  position: Position
  readonly size: number
  readonly #key: KeyObject
  readonly #digest: string
  readonly #createdAtStart: number
  readonly #signatureStart: number
  #bytes: Buffer
  #createdAt = unsetTimestamp
  #isLent = false

  /** @param dataText the JSON text of `data` */
  constructor(key: KeyObject, dataText: string, { name, parts, position }: Made & { name: PageName }) {
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

  /** The body of an answer that is made at `createdAt`, printed. Not to be written to; see {@link lend}. */
  at(createdAt: string): Buffer {
    if (createdAt === this.#createdAt) return this.#bytes
    if (this.#isLent) this.#bytes = ownCopyOf(this.#bytes)
    this.#isLent = false
    this.#bytes.write(createdAt, this.#createdAtStart, 'latin1')
    const signature = signatureOf(this.#key, responseCodes.success, createdAt, this.#digest)
    this.#bytes.write(signature, this.#signatureStart, 'latin1')
    this.#createdAt = createdAt
    return this.#bytes
  }

  /** To be called where it is kept: its bytes may be among those of others, and would hold them all. */
  keep(): void {
    if (this.#bytes.buffer.byteLength > this.size) this.#bytes = ownCopyOf(this.#bytes)
  }

  /** Says that the bytes handed out last are not all sent yet: the next second gets others, and these stay as they are. */
  lend(): void {
    this.#isLent = true
  }
}

function ownCopyOf(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
