import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { logFormat } from './log.ts'
import { ResponseLog, type ResponseRecord } from './response-log.ts'

const record: ResponseRecord = {
  requestId: 'f3a9c1de-0000-4000-8000-0123456789ab',
  operation: 'listTopics',
  method: 'GET',
  responseCode: 1000,
  status: 200,
  ms: 1.26,
}

afterEach(() => void vi.useRealTimers())

/** The line that pino prints for a response. */
function printedByPino({ requestId, operation, method, path, responseCode, status, ms }: ResponseRecord): string {
  let line = ''
  const members = { reqId: requestId, operation, method, path, response_code: responseCode || undefined, status }
  const log = pino(logFormat, { write: (text) => (line += text) })
  log.info({ ...members, ms: Math.round(ms * 10) / 10 }, 'request completed')
  return line
}

test('the line of a response is the one pino would print, with the time of the response', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const written: string[] = []
  const log = new ResponseLog((lines) => written.push(lines))
  const all: ResponseRecord[] = [
    record,
    { ...record, responseCode: 5000, ms: 12_345.678 },
    { ...record, operation: 'readBanner', responseCode: 0, status: 304, ms: 0.04 },
    { ...record, operation: undefined, responseCode: 0, status: 404, ms: 3 },
    { ...record, operation: undefined, path: '/api/newsfeed/…', responseCode: 4041 },
  ]
  let expected = ''
  for (const [nth, one] of all.entries()) {
    // Two responses per millisecond.
    vi.setSystemTime(Date.UTC(2030, 4, 1) + Math.floor(nth / 2))
    log.add(one)
    expected += printedByPino(one)
  }
  log.flush()
  expect(written).toEqual([expected])
})

test('the lines of one event loop turn are written together, at its end or by flush', async () => {
  const written: string[] = []
  const log = new ResponseLog((lines) => written.push(lines))
  log.add(record)
  log.add({ ...record, operation: 'getTopic' })
  expect(written).toEqual([])
  await new Promise(setImmediate)
  expect(written).toHaveLength(1)
  expect(written[0]?.match(/"operation":"\w+"/g)).toEqual(['"operation":"listTopics"', '"operation":"getTopic"'])
  log.add(record)
  log.flush()
  await new Promise(setImmediate)
  expect(written).toHaveLength(2)
})

test('a failed write does not block later lines', async () => {
  let isFull = true
  const written: string[] = []
  const log = new ResponseLog((lines) => {
    if (isFull) throw new Error('no space left')
    written.push(lines)
  })
  log.add(record)
  expect(log.flush).toThrow('no space left')
  isFull = false
  log.add(record)
  await new Promise(setImmediate)
  expect(written).toHaveLength(1)
})
