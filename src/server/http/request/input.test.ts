import { expect, test } from 'vitest'
import { operations } from '../../../contract/index.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { createPathReader } from './input.ts'
import { compileChecks } from './validate.ts'

test('the cached parameters of a path hold nothing of its query', () => {
  const operation = operations.getTopic
  const bound = { operation, checks: compileChecks(operation, defaultLimits) }
  const readPath = createPathReader()
  const read = (query: string) =>
    readPath(bound, { url: `/api/newsfeeds/topics/7/details${query}`, params: { topic_id: '7' } })
  expect(read('?key=secret')).toBe(read('?key=other'))
  expect(read('')).toBe(read('?key=secret'))
  expect(read('')).toMatchObject({ values: { topic_id: 7 }, path: '/api/newsfeeds/topics/7/details' })
})

test('operations that share a path, with different methods, each get their own parameters', () => {
  const readPath = createPathReader()
  const request = { url: '/api/newsfeeds/files/1/delete', params: { file_id: '1', file_name: 'delete', file_Id: '1' } }
  const valuesOf = (operation: Operation) =>
    readPath({ operation, checks: compileChecks(operation, defaultLimits) }, request).values
  expect(valuesOf(operations.readFile)).toEqual({ file_id: 1, file_name: 'delete' })
  expect(valuesOf(operations.deleteFile)).toEqual({ file_Id: 1 })
})
