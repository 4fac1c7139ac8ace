import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** A coalesced function whose underlying calls the test settles by hand. */
function controlled() {
  const calls: PromiseWithResolvers<number>[] = []
  const read = coalesce(() => {
    const call = Promise.withResolvers<number>()
    calls.push(call)
    return call.promise
  })
  const turn = () => new Promise(setImmediate)
  return { read, calls, turn }
}

test('concurrent callers share one call', async () => {
  const { read, calls, turn } = controlled()
  const results = [read(), read(), read()]
  await turn()
  expect(calls.length).toBe(1)
  calls[0]?.resolve(7)
  expect(await Promise.all(results)).toEqual([7, 7, 7])
})

test('callers that arrive during a call wait for a new call, which starts after it', async () => {
  const { read, calls, turn } = controlled()
  const early = read()
  await turn()
  const late = [read(), read()]
  await turn()
  expect(calls.length).toBe(1)
  calls[0]?.resolve(1)
  expect(await early).toBe(1)
  await turn()
  expect(calls.length).toBe(2)
  calls[1]?.resolve(2)
  expect(await Promise.all(late)).toEqual([2, 2])
})

test('a failed call rejects only for the callers that shared it', async () => {
  const { read, calls, turn } = controlled()
  const early = read()
  await turn()
  const late = read()
  calls[0]?.reject(new Error('lost'))
  await expect(early).rejects.toThrow('lost')
  await turn()
  calls[1]?.resolve(2)
  expect(await late).toBe(2)
})
