import { connect } from 'node:net'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DeletedEnvelope, FailureEnvelope, Problem, SuccessEnvelope } from '../../src/contract/envelope.ts'
import { type OperationName, operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { type TestApp, testApp } from '../app.ts'
import * as make from '../make.ts'
import { type Attempt, attempt } from './attempt.ts'

// Requests that are partly right, partly at the edge and partly hostile, made from the contract. Whatever they are, the
// answer is legal, is no bug of ours, and comes within two seconds. `FUZZ_RUNS=100000 FUZZ_SEED=1 npx vitest run
// test/fuzz` runs longer, or again.

const runs = Number(process.env.FUZZ_RUNS ?? 400)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const timeoutMs = 2_000

/** What would have ended the process. */
const crashes: unknown[] = []
const onCrash = (error: unknown) => void crashes.push(error)
const ends = ['uncaughtException', 'unhandledRejection']
beforeAll(() => ends.forEach((end) => void process.on(end, onCrash)))
afterAll(() => ends.forEach((end) => void process.off(end, onCrash)))

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  for (let n = 0; n < 3; n++) {
    await make.participant(t)
    await make.event(t)
    const { id } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'aGk=' }] })
    await make.comment(t, { topic_id: Number(id) })
  }
})
afterAll(() => t[Symbol.asyncDispose]())

const names = Object.keys(operations) as OperationName[]

const failure = Compile(FailureEnvelope)
const problem = Compile(Problem)
const successes = new Map(
  names.map((name) => {
    const { method, data }: Operation = operations[name]
    return [name, data && Compile(method === 'DELETE' ? DeletedEnvelope(data) : SuccessEnvelope(data))]
  }),
)

/** All that comes back, in Latin-1. @throws Error when the connection is still open after two seconds */
function answerTo({ head, body, wild }: Attempt): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    const heard: Buffer[] = []
    const late = setTimeout(() => settle(() => reject(new Error('no end within two seconds'))), timeoutMs)
    // One that is told of more than it gets waits for it; this client then goes away.
    const leave = wild ? setTimeout(() => socket.end(), 150) : undefined
    const settle = (how: () => void) => {
      clearTimeout(late)
      clearTimeout(leave)
      socket.destroy()
      how()
    }
    socket.on('data', (chunk: Buffer) => heard.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => settle(() => resolve(Buffer.concat(heard))))
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]))
  })
}

function expectLegal({ name, wild }: Attempt, heard: Buffer): void {
  const whole = heard.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  if (wild && whole === '') return
  const [head = '', body = ''] = [whole.slice(0, whole.indexOf('\r\n\r\n')), whole.slice(whole.indexOf('\r\n\r\n') + 4)]
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (wild && /^HTTP\/1.1 (400|408|431) .*\r\nContent-Length: 0\r\nConnection: close$/.test(head)) return
  const type = /^content-type: (.*)$/im.exec(head)?.[1]
  if (type === 'application/problem+json; charset=utf-8') {
    const found = JSON.parse(body)
    expect(problem.Errors(found)).toEqual([])
    expect(status).toBe(Math.floor(found.code / 10))
    expect(found.code).toBeLessThan(5000)
  } else if (type === 'application/json; charset=UTF-8' || operations[name].method !== 'GET') {
    expect([status, type]).toEqual([200, 'application/json; charset=UTF-8'])
    const envelope = JSON.parse(Buffer.from(body, 'latin1').toString())
    const { response_code } = envelope[0]
    expect(response_code).toBeLessThan(5000)
    const declared = response_code < 4000 ? successes.get(name) : failure
    expect(declared?.Errors(envelope)).toEqual([])
  } else {
    expect(successes.get(name), head).toBeUndefined()
    expect([200, 206, 304, 416]).toContain(status)
  }
}

test(`${runs} random requests are answered legally and in time (seed ${seed})`, {
  timeout: 60_000 + runs * 100,
}, async () => {
  const property = fc.asyncProperty(attempt, async (request) => {
    expectLegal(request, await answerTo(request))
    expect(crashes.splice(0)).toEqual([])
  })
  await fc.assert(property, { numRuns: runs, seed })
  expect((await t.client.call('listTopics', { offset: 0, limit: 10 })).envelope.response_code).toBe(1000)
})
