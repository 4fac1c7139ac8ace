import type { ResponseRecord } from './response-record.ts'

/**
 * The line about an answer, as our pino would print it. Through pino it was a sixth of what a kept page takes (decision
 * 12). Nothing in it has to be escaped: ids are ours, names are of the contract and of HTTP, and a path is told in words.
 * @param time ISO 8601
 */
export function responseLine(time: string, answered: ResponseRecord): string {
  const { requestId, operation, method, path, responseCode, status, ms } = answered
  const named = operation === undefined ? '' : `"operation":"${operation}",`
  const astray = path === undefined ? '' : `,"path":"${path}"`
  const coded = responseCode === 0 ? '' : `,"response_code":${responseCode}`
  return (
    `{"level":30,"time":"${time}","reqId":"${requestId}",${named}"method":"${method}"${astray}${coded},` +
    `"status":${status},"ms":${Math.round(ms * 10) / 10},"msg":"answered"}\n`
  )
}

/**
 * Lines about answers, keyed on the request's id. They name the operation and never the address: that may come to hold a
 * secret, as personal base URLs do. Of one that leads nowhere they tell the words, so that whoever wrote it finds it.
 * Those of one turn of the event loop are handed on together.
 */
export class ResponseLog {
  readonly #write: (lines: string) => void
  #lines = ''
  #time = ''
  #timeMs = Number.NaN

  constructor(write: (lines: string) => void) {
    this.#write = write
  }

  readonly add = (answered: ResponseRecord): void => {
    if (this.#lines === '') setImmediate(this.flush)
    this.#lines += responseLine(this.#now(), answered)
  }

  /** Hands on what there is, which otherwise happens at the end of the turn. */
  readonly flush = (): void => {
    const lines = this.#lines
    this.#lines = ''
    if (lines !== '') this.#write(lines)
  }

  /** Printing a moment takes longer than the rest of a line, and many are of the same millisecond. */
  #now(): string {
    const now = Date.now()
    if (now !== this.#timeMs) this.#time = new Date(now).toISOString()
    this.#timeMs = now
    return this.#time
  }
}
