/** Pieces from this size on stay as they are. */
const blockBytes = 16_384

/** Joins pieces that arrive one after the other into chunks: what takes a chunk costs as much for one byte as for many. */
export class JoinedPieces {
  /** Whole chunks. Who takes one removes it. */
  readonly chunks: Buffer[] = []
  #block = Buffer.alloc(0)
  #filled = 0

  add(piece: Buffer): void {
    if (piece.length >= blockBytes) {
      this.flush()
      this.chunks.push(piece)
      return
    }
    let taken = 0
    while (taken < piece.length) {
      if (this.#filled === this.#block.length) this.#beginBlock()
      const copied = piece.copy(this.#block, this.#filled, taken)
      this.#filled += copied
      taken += copied
    }
  }

  /** Makes a chunk of what is there, if anything is. */
  flush(): void {
    if (this.#filled > 0) this.chunks.push(this.#block.subarray(0, this.#filled))
    this.#block = Buffer.alloc(0)
    this.#filled = 0
  }

  #beginBlock(): void {
    this.flush()
    // Of its own memory, which `spent-chunks.ts` can free.
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
  }
}
