import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('each value is made once, until there are too many', () => {
  const made: number[] = []
  const double = memoize(2, (value: number) => {
    made.push(value)
    return value * 2
  })
  expect([1, 2, 1, 2].map(double)).toEqual([2, 4, 2, 4])
  expect(made).toEqual([1, 2])
  expect([3, 3, 1].map(double)).toEqual([6, 6, 2])
  expect(made).toEqual([1, 2, 3, 1])
})
