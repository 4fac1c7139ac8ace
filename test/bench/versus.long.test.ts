import { expect, test } from 'vitest'
import { thisCheckout } from '../../bench/checkout.ts'
import { versus } from '../../bench/versus.ts'
import { installed } from '../installed.ts'

/** Too short for meaningful figures. */
const short = { rounds: 2, seconds: 1, connections: 4, warmUp: 1, databaseUrl: undefined }

test.skipIf(!installed('wrk'))(
  'a checkout can be compared with itself, on separate data',
  async () => {
    const compared = await versus(thisCheckout, { ...short, only: ['R3 cold', 'W1'] })
    expect(compared.map(({ name, limit, rounds }) => [name, limit, rounds.length])).toEqual([
      ['R3 cold', 1.05, 2],
      ['W1', 1.1, 2],
    ])
    for (const { ours, other } of compared.flatMap(({ rounds }) => rounds)) {
      expect(ours.cpu).toBeGreaterThan(0)
      expect(other.cpu).toBeGreaterThan(0)
    }
  },
  120_000,
)
