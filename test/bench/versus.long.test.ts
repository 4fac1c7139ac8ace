import { expect, test } from 'vitest'
import { thisCheckout } from '../../bench/checkout.ts'
import { compareCheckouts } from '../../bench/versus.ts'
import { findProgram } from '../find-program.ts'

/** Long enough that both servers respond, too short for a meaningful result. */
const shortRun = { rounds: 2, seconds: 1, connections: 4, warmUp: 1, databaseUrl: undefined }

test.skipIf(!findProgram('wrk'))('a checkout is compared with itself, each side on its own data', async () => {
  const comparisons = await compareCheckouts(thisCheckout, { ...shortRun, only: ['R3 cold', 'W1'] })
  expect(comparisons.map(({ name, limit, rounds }) => [name, limit, rounds.length])).toEqual([
    ['R3 cold', 1.05, 2],
    ['W1', 1.1, 2],
  ])
  for (const { candidate, reference } of comparisons.flatMap(({ rounds }) => rounds)) {
    expect(candidate.cpu).toBeGreaterThan(0)
    expect(reference.cpu).toBeGreaterThan(0)
  }
})
