import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

test('tasks start in order, at most the limit run at once, and a failed task frees its slot', async () => {
  const limit = limitConcurrency(2)
  const started: number[] = []
  let [running, maxRunning] = [0, 0]
  const task = async (number: number) => {
    started.push(number)
    maxRunning = Math.max(maxRunning, ++running)
    await turn()
    running--
    if (number === 1) throw new Error('task failed')
    return number
  }
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => limit(() => task(number))))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect([started, maxRunning]).toEqual([[0, 1, 2, 3, 4], 2])
  expect(await limit(() => task(5))).toBe(5)
})
