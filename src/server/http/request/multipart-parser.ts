import { Failure } from '../../core/failure.ts'
import { type PartHeaders, parseHeader, parsePartHeaders } from './part-headers.ts'

/** For the headers of one part. */
const maxHeaderBytes = 16_384

/** A part of a form, while it arrives. */
export interface FormPart extends PartHeaders {
  /** Must be read to the end before the next part is requested. */
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>
  /** Resolves once the next part may be requested. */
  consumed: Promise<void>
}

const alreadyConsumed = Promise.resolve()

/**
 * Parses `multipart/form-data` (RFC 7578) as it arrives and as fast as it is consumed. Every delimiter in it either
 * starts a part or ends the form.
 */
export class MultipartParser {
  readonly #chunks: AsyncIterator<Buffer, void>
  readonly #delimiter: Buffer
  /** Received bytes, parsed up to `#offset`. Starts with a line break: the first delimiter needs none before it. */
  #buffer: Buffer = Buffer.from('\r\n')
  #offset = 0
  #delimiters = 0

  /**
   * @param chunks of the body; small ones would be concatenated again and again
   * @throws Failure MALFORMED_FORM without a boundary
   */
  constructor(chunks: AsyncIterable<Buffer, void>, contentType: string) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1')
  }

  /** @throws Failure MALFORMED_FORM, or the error of the chunks */
  async *parts(): AsyncGenerator<FormPart, void> {
    let parts = 0
    try {
      for await (const _ of this.#readToDelimiter());
      for (let end = await this.#readToHeadersEnd(); end !== undefined; end = await this.#readToHeadersEnd()) {
        parts++
        yield { ...this.#takeHeaders(end), ...this.#takeBytes() }
        if (this.#delimiters !== parts + 1) throw new Error('The next part was requested before the end of this one.')
      }
      await this.#skipEpilogue()
      if (this.#delimiters !== parts + 1)
        throw new Error(`A form of ${parts} parts has ${this.#delimiters} delimiters.`)
    } finally {
      await this.#chunks.return?.()
    }
  }

  /** @returns the offset of the empty line after the headers, or undefined at the end of the form */
  async #readToHeadersEnd(): Promise<number | undefined> {
    while (true) {
      if (this.#buffer[this.#offset] === dash && this.#buffer[this.#offset + 1] === dash) return undefined
      const end = this.#buffer.indexOf('\r\n\r\n', this.#offset)
      if ((end < 0 ? this.#remaining : end - this.#offset) > maxHeaderBytes)
        throw malformed('headers of a part are too long')
      if (end >= 0) return end
      await this.#readMore()
    }
  }

  /** Leaves the line break of the empty line unparsed: it may be the start of a delimiter. */
  #takeHeaders(end: number): PartHeaders {
    const text = this.#buffer.toString('latin1', this.#offset, end)
    this.#offset = end + 2
    if (text.includes(this.#delimiter.toString('latin1'))) throw malformed('part ends within its headers')
    const [padding = ''] = text.split('\r\n', 1)
    // A transport may have added white space (RFC 2046, 5.1.1).
    if (!/^[ \t]*$/.test(padding)) throw malformed('line starts like a delimiter but is none')
    try {
      return parsePartHeaders(text.slice(padding.length + 2))
    } catch (cause) {
      throw new Failure('MALFORMED_FORM', { cause })
    }
  }

  #takeBytes(): Pick<FormPart, 'bytes' | 'consumed'> {
    const end = this.#buffer.indexOf(this.#delimiter, this.#offset)
    if (end < 0) {
      const { promise: consumed, resolve } = Promise.withResolvers<void>()
      return { bytes: this.#readBytes(resolve), consumed }
    }
    const start = end === this.#offset ? end : this.#offset + 2
    this.#skipDelimiter(end)
    return { bytes: [this.#buffer.subarray(start, end)], consumed: alreadyConsumed }
  }

  async *#readBytes(onEnd: () => void): AsyncGenerator<Buffer, void> {
    while (this.#remaining < this.#delimiter.length) await this.#readMore()
    if (this.#buffer.indexOf(this.#delimiter, this.#offset) !== this.#offset) this.#offset += 2
    yield* this.#readToDelimiter()
    onEnd()
  }

  /** Yields the bytes before the next delimiter, and skips the delimiter. */
  async *#readToDelimiter(): AsyncGenerator<Buffer, void> {
    let found = this.#buffer.indexOf(this.#delimiter, this.#offset)
    for (; found < 0; found = this.#buffer.indexOf(this.#delimiter)) {
      const end = this.#buffer.length - this.#partialDelimiterLength()
      const before = this.#buffer.subarray(this.#offset, end)
      // The consumer may free the memory of the bytes it receives.
      this.#buffer = end === this.#buffer.length ? emptyBuffer : this.#buffer.subarray(end)
      this.#offset = 0
      if (before.length > 0) yield before
      await this.#readMore()
    }
    const last = this.#buffer.subarray(this.#offset, found)
    this.#skipDelimiter(found)
    if (last.length > 0) yield last
  }

  #skipDelimiter(at: number): void {
    this.#offset = at + this.#delimiter.length
    this.#delimiters++
  }

  /** The number of bytes at the end that may be the start of a delimiter. */
  #partialDelimiterLength(): number {
    const { length } = this.#buffer
    const from = Math.max(this.#offset, length - this.#delimiter.length + 1)
    for (let at = this.#buffer.indexOf('\r', from); at >= 0; at = this.#buffer.indexOf('\r', at + 1))
      if (this.#buffer.compare(this.#delimiter, 0, length - at, at) === 0) return length - at
    return 0
  }

  /** The epilogue is ignored (RFC 2046, 5.1.1), but it must not hide a part. */
  async #skipEpilogue(): Promise<void> {
    while (!this.#buffer.includes(this.#delimiter, this.#offset)) {
      this.#offset = this.#buffer.length - this.#partialDelimiterLength()
      if (!(await this.#tryReadMore())) return
    }
    throw malformed('part after the end of the form')
  }

  get #remaining(): number {
    return this.#buffer.length - this.#offset
  }

  async #readMore(): Promise<void> {
    if (!(await this.#tryReadMore())) throw malformed('form has no closing delimiter')
  }

  async #tryReadMore(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#buffer = this.#remaining === 0 ? value : Buffer.concat([this.#buffer.subarray(this.#offset), value])
    this.#offset = 0
    return true
  }
}

const dash = 0x2d
const emptyBuffer = Buffer.alloc(0)

const malformed = (message: string): Failure => new Failure('MALFORMED_FORM', { cause: new TypeError(message) })

/** Accepts all visible characters, more than RFC 2046, 5.1.1: clients often omit required quotes. */
function boundaryOf(contentType: string): string {
  const boundary = readParameters(contentType).get('boundary') ?? ''
  if (!/^[\x20-\x7e]{0,69}[\x21-\x7e]$/.test(boundary)) throw malformed('missing or invalid boundary')
  return boundary
}

function readParameters(contentType: string): ReadonlyMap<string, string> {
  try {
    return parseHeader(contentType).parameters
  } catch (cause) {
    throw new Failure('MALFORMED_FORM', { cause })
  }
}
