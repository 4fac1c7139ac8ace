import { Failure } from '../failure.ts'
import { parseHeader } from './header-parameters.ts'
import { type PartHeaders, parsePartHeaders } from './part-headers.ts'

/** Of one part. */
const mostHeaderBytes = 16_384

/** A part of a form, while it arrives. */
export interface Part extends PartHeaders {
  /** They have to be read to the end before the next part is asked for. */
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>
  /** Resolves once the next part may be asked for. */
  isRead: Promise<void>
}

const isReadAlready = Promise.resolve()

/**
 * Parses `multipart/form-data` (RFC 7578) as it arrives and as fast as it is taken. Every delimiter in it begins a part
 * or ends the form; there is none that begins nothing.
 */
export class MultipartParser {
  readonly #chunks: AsyncIterator<Buffer, void>
  readonly #delimiter: Buffer
  /** What has arrived, of which everything before `#at` is parsed. The first delimiter needs no line break before it. */
  #arrived: Buffer = Buffer.from('\r\n')
  #at = 0
  #delimiters = 0

  /**
   * @param chunks of the body; small ones would be joined over and over
   * @throws Failure MALFORMED_FORM without a boundary
   */
  constructor(chunks: AsyncIterable<Buffer, void>, contentType: string) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1')
  }

  /** @throws Failure MALFORMED_FORM, and what the chunks throw */
  async *parts(): AsyncGenerator<Part, void> {
    let parts = 0
    try {
      for await (const _ of this.#upToDelimiter());
      for (let end = await this.#receiveHeaders(); end !== undefined; end = await this.#receiveHeaders()) {
        parts++
        yield { ...this.#takeHeaders(end), ...this.#takeBytes() }
        if (this.#delimiters !== parts + 1) throw new Error('The next part was asked for before the end of this one.')
      }
      await this.#skipEpilogue()
      if (this.#delimiters !== parts + 1)
        throw new Error(`A form of ${parts} parts has ${this.#delimiters} delimiters.`)
    } finally {
      await this.#chunks.return?.()
    }
  }

  /** @returns where the empty line after the headers is, or undefined at the end of the form */
  async #receiveHeaders(): Promise<number | undefined> {
    while (true) {
      if (this.#arrived[this.#at] === dash && this.#arrived[this.#at + 1] === dash) return undefined
      const end = this.#arrived.indexOf('\r\n\r\n', this.#at)
      if ((end < 0 ? this.#left : end - this.#at) > mostHeaderBytes) throw malformed('A part has too long headers.')
      if (end >= 0) return end
      await this.#receive()
    }
  }

  /** Leaves the line break of the empty line, as that may be the beginning of a delimiter. */
  #takeHeaders(end: number): PartHeaders {
    const text = this.#arrived.toString('latin1', this.#at, end)
    this.#at = end + 2
    if (text.includes(this.#delimiter.toString('latin1'))) throw malformed('A part ends in its headers.')
    const [padding = ''] = text.split('\r\n', 1)
    // A transport may have added white space (RFC 2046, 5.1.1).
    if (!/^[ \t]*$/.test(padding)) throw malformed('A line begins as a delimiter and is none.')
    try {
      return parsePartHeaders(text.slice(padding.length + 2))
    } catch (cause) {
      throw new Failure('MALFORMED_FORM', { cause })
    }
  }

  #takeBytes(): Pick<Part, 'bytes' | 'isRead'> {
    const end = this.#arrived.indexOf(this.#delimiter, this.#at)
    if (end < 0) {
      const { promise: isRead, resolve } = Promise.withResolvers<void>()
      return { bytes: this.#receiveBytes(resolve), isRead }
    }
    const start = end === this.#at ? end : this.#at + 2
    this.#passDelimiter(end)
    return { bytes: [this.#arrived.subarray(start, end)], isRead: isReadAlready }
  }

  async *#receiveBytes(onEnd: () => void): AsyncGenerator<Buffer, void> {
    while (this.#left < this.#delimiter.length) await this.#receive()
    if (this.#arrived.indexOf(this.#delimiter, this.#at) !== this.#at) this.#at += 2
    yield* this.#upToDelimiter()
    onEnd()
  }

  /** What comes before the next delimiter, which is passed as well. */
  async *#upToDelimiter(): AsyncGenerator<Buffer, void> {
    let found = this.#arrived.indexOf(this.#delimiter, this.#at)
    for (; found < 0; found = this.#arrived.indexOf(this.#delimiter)) {
      const end = this.#arrived.length - this.#beginningOfDelimiter()
      const before = this.#arrived.subarray(this.#at, end)
      // Who takes it may free its memory.
      this.#arrived = end === this.#arrived.length ? nothing : this.#arrived.subarray(end)
      this.#at = 0
      if (before.length > 0) yield before
      await this.#receive()
    }
    const last = this.#arrived.subarray(this.#at, found)
    this.#passDelimiter(found)
    if (last.length > 0) yield last
  }

  #passDelimiter(at: number): void {
    this.#at = at + this.#delimiter.length
    this.#delimiters++
  }

  /** How many bytes at the end may be the beginning of a delimiter. */
  #beginningOfDelimiter(): number {
    const { length } = this.#arrived
    const from = Math.max(this.#at, length - this.#delimiter.length + 1)
    for (let at = this.#arrived.indexOf('\r', from); at >= 0; at = this.#arrived.indexOf('\r', at + 1))
      if (this.#arrived.compare(this.#delimiter, 0, length - at, at) === 0) return length - at
    return 0
  }

  /** Nothing is to be read there (RFC 2046, 5.1.1), but no part may be lost there either. */
  async #skipEpilogue(): Promise<void> {
    while (!this.#arrived.includes(this.#delimiter, this.#at)) {
      this.#at = this.#arrived.length - this.#beginningOfDelimiter()
      if (!(await this.#hasMore())) return
    }
    throw malformed('A part comes after the end of the form.')
  }

  get #left(): number {
    return this.#arrived.length - this.#at
  }

  async #receive(): Promise<void> {
    if (!(await this.#hasMore())) throw malformed('The form has no end.')
  }

  async #hasMore(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#arrived = this.#left === 0 ? value : Buffer.concat([this.#arrived.subarray(this.#at), value])
    this.#at = 0
    return true
  }
}

const dash = 0x2d
const nothing = Buffer.alloc(0)

const malformed = (why: string): Failure => new Failure('MALFORMED_FORM', { cause: new TypeError(why) })

/** RFC 2046, 5.1.1, and whatever else that can be seen: clients seldom quote what they should. */
function boundaryOf(contentType: string): string {
  const boundary = readParameters(contentType).get('boundary') ?? ''
  if (!/^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary)) throw malformed('The form has no boundary.')
  return boundary
}

function readParameters(contentType: string): ReadonlyMap<string, string> {
  try {
    return parseHeader(contentType).parameters
  } catch (cause) {
    throw new Failure('MALFORMED_FORM', { cause })
  }
}
