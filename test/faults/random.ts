/** Random numbers that a seed repeats (mulberry32). */
export interface Random {
  /** 0 up to but not including 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  /** One of these, or undefined when there are none. */
  pick<T>(from: readonly T[]): T | undefined
  /** True this often: 0 never, 1 always. */
  chance(share: number): boolean
  bytes(length: number): Buffer<ArrayBuffer>
  /** A generator of its own, so that who draws from it does not change what others draw. */
  fork(): Random
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const uint = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  const next = () => uint() / 2 ** 32
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    int,
    pick: (from) => from[int(0, from.length - 1)],
    chance: (share) => next() < share,
    bytes: (length) => {
      const words = new Uint32Array(Math.ceil(length / 4)).map(uint)
      return Buffer.from(words.buffer, 0, length)
    },
    fork: () => randomFrom(uint()),
  }
}

/** The seed of this run: `FAULT_SEED` repeats an earlier one. */
export const seedOfRun = (): number => Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32))
