/** A pseudo-random number generator (mulberry32). */
export interface Random {
  /** 0 up to but not including 1. */
  next(): number
  /** A whole number from `low` to `high`, both inclusive. */
  int(low: number, high: number): number
  /** One of the elements, or undefined if there are none. */
  pick<T>(from: readonly T[]): T | undefined
  /** True with this probability. */
  chance(probability: number): boolean
  bytes(length: number): Buffer<ArrayBuffer>
  /** A new generator, independent of later calls to this one. */
  fork(): Random
}

export function createRandom(seed: number): Random {
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
    chance: (probability) => next() < probability,
    bytes: (length) => {
      const words = new Uint32Array(Math.ceil(length / 4)).map(uint)
      return Buffer.from(words.buffer, 0, length)
    },
    fork: () => createRandom(uint()),
  }
}

/** Random, unless `FAULT_SEED` is set to repeat an earlier run. */
export function chooseSeed(): number {
  const { FAULT_SEED: seed = Math.floor(Math.random() * 2 ** 32) } = process.env
  if (!/^\d+$/.test(String(seed))) throw new Error(`FAULT_SEED is ${seed}, which is not a whole number`)
  return Number(seed)
}
