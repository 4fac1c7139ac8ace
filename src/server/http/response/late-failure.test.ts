import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Failure } from '../../core/failure.ts'
import { logIfLate } from './late-failure.ts'

const bug = new TypeError('undefined is not a function')

function fail(error: Error, sent: boolean): unknown {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(line) })
  const request = { id: 'request 1', server: { log } } as unknown as Parameters<typeof logIfLate>[1]
  logIfLate(error, request, { sent } as Parameters<typeof logIfLate>[2])
  return JSON.parse(lines.join())
}

test('an error after the response is logged as one, a failure only for debugging', () => {
  expect(fail(bug, true)).toMatchObject({ level: 50, reqId: 'request 1', err: { message: bug.message } })
  expect(fail(new Failure('UNAVAILABLE'), true)).toMatchObject({ level: 20, reqId: 'request 1' })
})

test('an error before the response is thrown', () => {
  expect(() => fail(bug, false)).toThrow(bug)
})
