import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

test('no more than so many run at once, in the order in which they came, failures among them', async () => {
  const inTurn = limitConcurrency(2)
  const begun: number[] = []
  let [running, most] = [0, 0]
  const work = async (number: number) => {
    begun.push(number)
    most = Math.max(most, ++running)
    await turn()
    running--
    if (number === 1) throw new Error('one went wrong')
    return number
  }
  const done = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => inTurn(() => work(number))))
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect([begun, most]).toEqual([[0, 1, 2, 3, 4], 2])
  expect(await inTurn(() => work(5))).toBe(5)
})
