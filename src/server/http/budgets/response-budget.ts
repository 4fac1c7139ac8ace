import type { IncomingMessage, ServerResponse } from 'node:http'
import { Failure } from '../../core/failure.ts'

/** While more bytes than this are waiting to be sent, no further large response is sent. */
const maxBytes = 64 * 1024 * 1024

/** The share of one client: any one response, or several up to this size together. */
const maxClientBytes = maxBytes / 2

/** Smaller responses are always sent: filling memory with them would take more clients than can connect. */
const largeBytes = 1024 * 1024

/**
 * Bounds the bytes of responses that clients have not received yet. A response may be tens of megabytes, and a client
 * that requests many of them, or never reads, must not exhaust memory, nor the memory for all others. Bytes shared by
 * several responses count once.
 */
export class ResponseBudget {
  readonly #clientOf: (request: IncomingMessage) => string | undefined
  readonly #all = new UnreadBytes()
  readonly #byClient = new Map<string, UnreadBytes>()

  /** @param clientOf identifies the client of a request; undefined for one without a share of its own */
  constructor(clientOf: (request: IncomingMessage) => string | undefined) {
    this.#clientOf = clientOf
  }

  /** @param size in bytes @throws Failure UNAVAILABLE for a large response while too many bytes are waiting */
  assertAvailable(size: number): void {
    if (size <= largeBytes || this.#all.size <= maxBytes) return
    // One response may exceed the share of its client. The others do not pay for it.
    let excess = 0
    for (const unread of this.#byClient.values()) excess = Math.max(excess, unread.size - maxClientBytes)
    if (this.#all.size - excess > maxBytes) throw new Failure('UNAVAILABLE')
  }

  /**
   * @param bytes the object that holds the memory
   * @throws Failure UNAVAILABLE for a large response to a client that has used up its share
   */
  assertAvailableTo(request: IncomingMessage, bytes: object, size: number): void {
    if (size <= largeBytes) return
    const unread = this.#unreadOf(request)
    if (unread && !unread.has(bytes) && unread.size + size > maxClientBytes) throw new Failure('UNAVAILABLE')
  }

  /** Counts bytes until `response` is sent or its client disconnects. @param bytes the object that holds the memory */
  reserve(response: ServerResponse, bytes: object, size: number): void {
    // If the client has already disconnected, 'close' is not emitted again.
    if (response.closed || response.destroyed) return
    const client = this.#clientOf(response.req)
    this.#all.add(bytes, size)
    if (client !== undefined) this.#addTo(client, bytes, size)
    response.once('close', () => {
      this.#all.remove(bytes, size)
      if (client !== undefined) this.#removeFrom(client, bytes, size)
    })
  }

  #unreadOf(request: IncomingMessage): UnreadBytes | undefined {
    if (this.#byClient.size === 0) return undefined
    const client = this.#clientOf(request)
    return client === undefined ? undefined : this.#byClient.get(client)
  }

  #addTo(client: string, bytes: object, size: number): void {
    const unread = this.#byClient.get(client) ?? new UnreadBytes()
    this.#byClient.set(client, unread)
    unread.add(bytes, size)
  }

  #removeFrom(client: string, bytes: object, size: number): void {
    const unread = this.#byClient.get(client)
    unread?.remove(bytes, size)
    if (unread?.size === 0) this.#byClient.delete(client)
  }
}

/** The memory of responses that are being sent. Bytes that several of them share count once. */
class UnreadBytes {
  readonly #users = new Map<object, number>()
  size = 0

  has(bytes: object): boolean {
    return this.#users.has(bytes)
  }

  add(bytes: object, size: number): void {
    const users = this.#users.get(bytes) ?? 0
    this.#users.set(bytes, users + 1)
    if (users === 0) this.size += size
  }

  remove(bytes: object, size: number): void {
    const users = (this.#users.get(bytes) ?? 0) - 1
    if (users > 0) {
      this.#users.set(bytes, users)
      return
    }
    this.#users.delete(bytes)
    this.size -= size
  }
}
