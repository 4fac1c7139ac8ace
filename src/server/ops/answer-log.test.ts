import { pino } from 'pino'
import { expect, test } from 'vitest'
import { AnswerLog, answerLine } from './answer-log.ts'
import type { Answered } from './answered.ts'

const answered: Answered = {
  requestId: 'f3a9c1de-0000-4000-8000-0123456789ab',
  operation: 'listTopics',
  method: 'GET',
  responseCode: 1000,
  status: 200,
  ms: 1.26,
}

test.each<[string, Partial<Answered>]>([
  ['of an operation', {}],
  ['of a failure that took long', { responseCode: 5000, ms: 12_345.678 }],
  ['of bytes', { operation: 'readBanner', responseCode: 0, status: 304, ms: 0.04 }],
  ['of what the contract does not know', { operation: undefined, responseCode: 0, status: 404, ms: 3 }],
])('the line of an answer %s is the one that pino would print', (_of, part) => {
  const time = '2030-05-01T09:00:00.000Z'
  const printed: string[] = []
  const log = pino({ base: null, timestamp: () => `,"time":"${time}"` }, { write: (line) => printed.push(line) })
  const { requestId, operation, method, responseCode, status, ms } = { ...answered, ...part }
  log.info(
    {
      reqId: requestId,
      operation,
      method,
      response_code: responseCode || undefined,
      status,
      ms: Math.round(ms * 10) / 10,
    },
    'answered',
  )
  expect(answerLine(time, { ...answered, ...part })).toBe(printed.join(''))
})

test('the lines of one turn are handed on together, at its end or when they are asked for', async () => {
  const handedOn: string[] = []
  const log = new AnswerLog((lines) => handedOn.push(lines))
  log.add(answered)
  log.add({ ...answered, operation: 'getTopic' })
  expect(handedOn).toEqual([])
  await new Promise(setImmediate)
  expect(handedOn).toHaveLength(1)
  expect(handedOn[0]?.match(/"operation":"\w+"/g)).toEqual(['"operation":"listTopics"', '"operation":"getTopic"'])
  log.add(answered)
  log.flush()
  await new Promise(setImmediate)
  expect(handedOn).toHaveLength(2)
})
