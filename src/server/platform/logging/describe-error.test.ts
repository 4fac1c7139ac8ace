import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

const caught = (work: () => unknown): Error => {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}

test('an error is described by its class, message, code, calls and cause, and by no other member', () => {
  class QueryFailed extends Error {}
  const cause = Object.assign(new Error('inner', { cause: 'sent' }), { parameters: ['sent'] })
  const error = Object.assign(new QueryFailed('failed', { cause }), { code: '23505', detail: 'Key (email)=(sent)' })
  const described = describeError(error)
  expect(described).toEqual({
    type: 'QueryFailed',
    message: 'failed',
    code: '23505',
    stack: expect.stringMatching(/^QueryFailed: failed\n +at .*describe-error\.test\.ts/),
    cause: {
      ...{ type: 'Error', message: 'inner', stack: expect.stringMatching(/^Error: inner\n +at /) },
      cause: { type: 'string', message: '', stack: '' },
    },
  })
  expect(describeError(new AggregateError([new Error('refused')])).errors).toMatchObject([{ message: 'refused' }])
})

test.each<[string, Error]>([
  ['no JSON', caught(() => JSON.parse('sent'))],
  ['no JSON, of several lines like those of a stack', caught(() => JSON.parse('x\n    at sent'))],
  [
    'a value that the database does not accept',
    Object.assign(new Error('invalid input syntax for type bigint: "sent"'), { severity: 'ERROR', code: '22P02' }),
  ],
])('the description of an error about %s does not quote it', (_, error) => {
  expect(error.message).toContain('sent')
  expect(describeError(error)).toMatchObject({ message: '', stack: expect.stringMatching(/\n +at /) })
  expect(JSON.stringify(describeError(error))).not.toContain('sent')
})

test('an error that is its own cause is described', () => {
  const error = new Error('again')
  error.cause = error
  expect(describeError(error).cause?.cause?.message).toBe('again')
})
