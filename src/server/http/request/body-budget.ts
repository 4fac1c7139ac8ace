import type { Limits } from '../../../contract/limits.ts'

/** What the bodies that are being received may take of the memory, all together: slow clients could take all of it. */
const maxFormBytes = 128 * 1024 * 1024

/** What each may take besides: almost every body is smaller, and nobody who sends one is refused for others. */
const ownBytes = 64 * 1024

/** Asks for the memory of so many bytes of a body. @returns whether there is any */
export type Reserve = (bytes: number) => boolean

/** The memory for bodies that are being received, in one process. */
export class BodyBudget {
  readonly #most: number
  #held = 0

  constructor({ jsonBytes }: Limits) {
    this.#most = Math.max(maxFormBytes, 2 * jsonBytes)
  }

  /** Runs what receives a body. What it asks for is free again once that is settled. */
  async receive<T>(read: (hold: Reserve) => Promise<T>): Promise<T> {
    let size = 0
    let held = 0
    try {
      return await read((bytes) => {
        size += bytes
        const more = Math.max(0, size - ownBytes) - held
        if (more > 0 && this.#held + more > this.#most) return false
        held += more
        this.#held += more
        return true
      })
    } finally {
      this.#held -= held
    }
  }
}
