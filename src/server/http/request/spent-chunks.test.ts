import { expect, test } from 'vitest'
import { freeSpentChunks } from './spent-chunks.ts'

async function* streamOf(chunks: Uint8Array[]) {
  yield* chunks
}

test('the memory of a chunk is freed when the next one is requested, and not before', async () => {
  const chunks = [new Uint8Array(20_000).fill(1), new Uint8Array(30_000).fill(2)]
  const seen: number[] = []
  for await (const chunk of freeSpentChunks(streamOf(chunks))) {
    seen.push(chunk.length)
    expect(chunks.map(({ buffer }) => buffer.byteLength > 0)).toEqual(seen.length === 1 ? [true, true] : [false, true])
  }
  expect(seen).toEqual([20_000, 30_000])
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0])
})

test('the memory of a chunk that is part of a larger buffer is not freed', async () => {
  const larger = new Uint8Array(60_000).fill(3)
  const parts = [larger.subarray(0, 30_000), larger.subarray(30_000)]
  for await (const _ of freeSpentChunks(streamOf(parts)));
  expect(larger.every((byte) => byte === 3)).toBe(true)
  expect(larger.length).toBe(60_000)
})

test('a small chunk is not freed', async () => {
  const small = new Uint8Array(255).fill(4)
  for await (const _ of freeSpentChunks(streamOf([small])));
  expect(small.length).toBe(255)
})
