import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { format } from './log.ts'
import { ResponseLog } from './response-log.ts'
import type { ResponseRecord } from './response-record.ts'

const answered: ResponseRecord = {
  requestId: 'f3a9c1de-0000-4000-8000-0123456789ab',
  operation: 'listTopics',
  method: 'GET',
  responseCode: 1000,
  status: 200,
  ms: 1.26,
}

afterEach(() => void vi.useRealTimers())

/** What our pino prints of an answer. */
function printedByPino({ requestId, operation, method, path, responseCode, status, ms }: ResponseRecord): string {
  let printed = ''
  const members = { reqId: requestId, operation, method, path, response_code: responseCode || undefined, status }
  const log = pino(format, { write: (line) => (printed += line) })
  log.info({ ...members, ms: Math.round(ms * 10) / 10 }, 'answered')
  return printed
}

test('the lines of answers are those that pino would print, each with its own time', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const handedOn: string[] = []
  const log = new ResponseLog((lines) => handedOn.push(lines))
  const all: ResponseRecord[] = [
    answered,
    { ...answered, responseCode: 5000, ms: 12_345.678 },
    { ...answered, operation: 'readBanner', responseCode: 0, status: 304, ms: 0.04 },
    { ...answered, operation: undefined, responseCode: 0, status: 404, ms: 3 },
    { ...answered, operation: undefined, path: '/api/newsfeed/…', responseCode: 4041 },
  ]
  let expected = ''
  for (const [nth, one] of all.entries()) {
    // Two of each millisecond.
    vi.setSystemTime(Date.UTC(2030, 4, 1) + Math.floor(nth / 2))
    log.add(one)
    expected += printedByPino(one)
  }
  log.flush()
  expect(handedOn).toEqual([expected])
})

test('the lines of one turn are handed on together, at its end or when they are asked for', async () => {
  const handedOn: string[] = []
  const log = new ResponseLog((lines) => handedOn.push(lines))
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

test('what could not be handed on does not keep later lines back', async () => {
  let isFull = true
  const handedOn: string[] = []
  const log = new ResponseLog((lines) => {
    if (isFull) throw new Error('no space left')
    handedOn.push(lines)
  })
  log.add(answered)
  expect(log.flush).toThrow('no space left')
  isFull = false
  log.add(answered)
  await new Promise(setImmediate)
  expect(handedOn).toHaveLength(1)
})
