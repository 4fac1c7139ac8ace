import type { ServerResponse } from 'node:http'

/** What pages may take of the memory, all together, that are to be sent to clients slower than they are made. */
const mostBytes = 268_435_456

/** Pages up to here are not counted, and always sent: few are larger, and most of this is the kernel's to keep. */
const smallBytes = 262_144

/**
 * The pages of a process that are not sent yet. A client may take hours for the megabytes of one, see
 * `unread-answers.ts`; so when there is no room for more, large ones are refused.
 */
export class UnsentPages {
  readonly #readers = new Map<Buffer, number>()
  #held = 0

  hasRoomFor(size: number): boolean {
    return size <= smallBytes || this.#held + size <= mostBytes
  }

  /** Counts the bytes of a page until they are sent or the client has gone; once, however many are being sent them. */
  hold(bytes: Buffer, response: ServerResponse): void {
    if (bytes.length <= smallBytes) return
    const others = this.#readers.get(bytes) ?? 0
    if (others === 0) this.#held += bytes.length
    this.#readers.set(bytes, others + 1)
    response.once('close', () => this.#letGo(bytes))
  }

  #letGo(bytes: Buffer): void {
    const others = (this.#readers.get(bytes) ?? 0) - 1
    if (others > 0) return void this.#readers.set(bytes, others)
    this.#readers.delete(bytes)
    this.#held -= bytes.length
  }
}
