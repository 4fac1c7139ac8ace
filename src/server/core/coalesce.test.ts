import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Looks that end when the test says so, each with its number. */
function looks() {
  const underWay: PromiseWithResolvers<number>[] = []
  const ask = coalesce(() => {
    const look = Promise.withResolvers<number>()
    underWay.push(look)
    return look.promise
  })
  const turn = () => new Promise(setImmediate)
  return { ask, underWay, turn }
}

test('who asks together shares one look', async () => {
  const { ask, underWay, turn } = looks()
  const asked = [ask(), ask(), ask()]
  await turn()
  expect(underWay.length).toBe(1)
  underWay[0]?.resolve(7)
  expect(await Promise.all(asked)).toEqual([7, 7, 7])
})

test('who asks while a look is under way waits for the next, which begins after it', async () => {
  const { ask, underWay, turn } = looks()
  const early = ask()
  await turn()
  const late = [ask(), ask()]
  await turn()
  expect(underWay.length).toBe(1)
  underWay[0]?.resolve(1)
  expect(await early).toBe(1)
  await turn()
  expect(underWay.length).toBe(2)
  underWay[1]?.resolve(2)
  expect(await Promise.all(late)).toEqual([2, 2])
})

test('a look that fails fails for those who shared it, and for nobody else', async () => {
  const { ask, underWay, turn } = looks()
  const early = ask()
  await turn()
  const late = ask()
  underWay[0]?.reject(new Error('lost'))
  await expect(early).rejects.toThrow('lost')
  await turn()
  underWay[1]?.resolve(2)
  expect(await late).toBe(2)
})
