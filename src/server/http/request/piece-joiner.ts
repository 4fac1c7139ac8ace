/** Pieces of this size or more are passed on unchanged. */
const blockBytes = 16_384

/** Joins successive pieces into chunks: for a consumer, a chunk of one byte costs as much as a large one. */
export class PieceJoiner {
  /** Complete chunks, to be removed by the consumer. */
  readonly chunks: Buffer[] = []
  #block = Buffer.alloc(0)
  #filled = 0

  add(piece: Buffer): void {
    if (piece.length >= blockBytes) {
      this.flush()
      this.chunks.push(piece)
      return
    }
    let added = 0
    while (added < piece.length) {
      if (this.#filled === this.#block.length) this.#startBlock()
      const copied = piece.copy(this.#block, this.#filled, added)
      this.#filled += copied
      added += copied
    }
  }

  /** Completes the current chunk, unless it is empty. */
  flush(): void {
    if (this.#filled > 0) this.chunks.push(this.#block.subarray(0, this.#filled))
    this.#block = Buffer.alloc(0)
    this.#filled = 0
  }

  #startBlock(): void {
    this.flush()
    // Not from the pool: `spent-chunks.ts` frees only memory that a chunk has to itself.
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
  }
}
