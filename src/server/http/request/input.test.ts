import { expect, test } from 'vitest'
import { operations } from '../../../contract/index.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { createPathReader } from './input.ts'
import { compileChecks } from './validate.ts'

test('the memoized parameters of a path hold nothing of its query', () => {
  const operation = operations.getTopic
  const bound = { name: 'getTopic', operation, checks: compileChecks(operation, defaultLimits) } as const
  const readPath = createPathReader()
  const read = (query: string) =>
    readPath(bound, { url: `/api/newsfeeds/topics/7/details${query}`, params: { topic_id: '7' } })
  expect(read('?key=secret')).toBe(read('?key=other'))
  expect(read('')).toBe(read('?key=secret'))
  expect(read('')).toMatchObject({ values: { topic_id: 7 }, path: '/api/newsfeeds/topics/7/details' })
})
