import { expect, test } from 'vitest'
import { Known } from './known.ts'

test('of 10,001 addresses the first is forgotten, and what is known stays as it was', () => {
  const known = new Known<number>()
  for (let nth = 0; nth <= 10_000; nth++) known.remember(`/${nth}`, nth)
  known.remember('/1', -1)
  expect([known.get('/0'), known.get('/1'), known.get('/10000')]).toEqual([undefined, 1, 10_000])
})
