import type { Limits } from '../../../contract/limits.ts'

/** Memory for all bodies that are being received: without a bound, slow clients could take all of it. */
const minTotalBytes = 128 * 1024 * 1024

/** Bytes of each body that do not count: almost every body is smaller, and is never rejected because of others. */
const uncountedBytes = 64 * 1024

/** Reserves memory for so many bytes of a body. @returns false if there is none left */
export type ReserveMemory = (bytes: number) => boolean

/** Bounds the memory of the bodies that one process is receiving. */
export class BodyBudget {
  readonly #maxBytes: number
  #reserved = 0

  constructor({ jsonBytes }: Limits) {
    this.#maxBytes = Math.max(minTotalBytes, 2 * jsonBytes)
  }

  /** Runs `read`, and releases its reservation once it settles. */
  async run<T>(read: (reserve: ReserveMemory) => Promise<T>): Promise<T> {
    let size = 0
    let reserved = 0
    try {
      return await read((bytes) => {
        size += bytes
        const additional = Math.max(0, size - uncountedBytes) - reserved
        if (additional > 0 && this.#reserved + additional > this.#maxBytes) return false
        reserved += additional
        this.#reserved += additional
        return true
      })
    } finally {
      this.#reserved -= reserved
    }
  }
}
