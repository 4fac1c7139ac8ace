import { expect, test } from 'vitest'
import { freeingSpentChunks } from './spent-chunks.ts'

async function* streamOf(chunks: Uint8Array[]) {
  yield* chunks
}

test('the memory of a chunk is freed when the next one is asked for, and not before', async () => {
  const chunks = [new Uint8Array(10).fill(1), new Uint8Array(20).fill(2)]
  const seen: number[] = []
  for await (const chunk of freeingSpentChunks(streamOf(chunks))) {
    seen.push(chunk.length)
    expect(chunks.map(({ buffer }) => buffer.byteLength > 0)).toEqual(seen.length === 1 ? [true, true] : [false, true])
  }
  expect(seen).toEqual([10, 20])
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0])
})

test('that of a chunk which is a part of something larger is not', async () => {
  const larger = new Uint8Array(30).fill(3)
  const parts = [larger.subarray(0, 10), larger.subarray(10)]
  for await (const _ of freeingSpentChunks(streamOf(parts)));
  expect([...larger]).toEqual(Array(30).fill(3))
})
