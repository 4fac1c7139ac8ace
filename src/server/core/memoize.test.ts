import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('each result is computed once, until the cache is full and starts over', () => {
  const computed: number[] = []
  const double = memoize(2, (value: number) => {
    computed.push(value)
    return value * 2
  })
  expect([1, 2, 1, 2].map(double)).toEqual([2, 4, 2, 4])
  expect(computed).toEqual([1, 2])
  expect([3, 3, 1].map(double)).toEqual([6, 6, 2])
  expect(computed).toEqual([1, 2, 3, 1])
})
