import { connect } from 'node:net'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { DeletedEnvelope, FailureEnvelope, Problem, SuccessEnvelope } from '../../src/contract/envelope.ts'
import { type OperationName, operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { type RandomRequest, randomRequest } from './random-request.ts'

/** A safety net: on a busy machine, the first placeholder image alone takes seconds. */
const timeoutMs = 10_000

/**
 * Sends requests that are valid, at the edge of valid, or hostile, generated from the contract. Each response must be
 * legal, be no internal failure, and arrive. `FUZZ_SEED=1` repeats an earlier run.
 */
export async function sendRandomRequests(count: number): Promise<void> {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
  console.log(`random requests: FUZZ_SEED=${seed}`)
  using crashes = recordCrashes()
  await using t = await startApp()
  const property = fc.asyncProperty(randomRequest, async (request) => {
    expectLegal(request, await send(t, request))
    expect(crashes.errors.splice(0)).toEqual([])
  })
  await fc.assert(property, { numRuns: count, seed })
  expect((await t.client.call('listTopics', { offset: 0, limit: 10 })).envelope.response_code).toBe(1000)
}

/** Records errors that would end a process with no other handler. */
function recordCrashes(): { errors: unknown[] } & Disposable {
  const errors: unknown[] = []
  const record = (error: unknown) => void errors.push(error)
  const events = ['uncaughtException', 'unhandledRejection']
  for (const event of events) process.on(event, record)
  return {
    errors,
    [Symbol.dispose]: () => {
      for (const event of events) process.off(event, record)
    },
  }
}

/** With three records of each kind, so that small ids exist. */
async function startApp(): Promise<TestApp> {
  const t = await startTestApp()
  for (let n = 0; n < 3; n++) {
    await make.participant(t)
    await make.event(t)
    const { id } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'aGk=' }] })
    await make.comment(t, { topic_id: Number(id) })
  }
  return t
}

const names = Object.keys(operations) as OperationName[]

const failure = Compile(FailureEnvelope)
const problem = Compile(Problem)
const successes = new Map(
  names.map((name) => {
    const { method, data }: Operation = operations[name]
    return [name, data && Compile(method === 'DELETE' ? DeletedEnvelope(data) : SuccessEnvelope(data))]
  }),
)

/** @returns everything received @throws Error if the connection is still open after ten seconds */
function send(t: TestApp, { head, body, isWild }: RandomRequest): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    const received: Buffer[] = []
    const timeout = setTimeout(() => settle(() => reject(new Error('still open after ten seconds'))), timeoutMs)
    // A server that was announced more bytes than it gets waits for them; then this client disconnects.
    const disconnect = isWild ? setTimeout(() => socket.end(), 150) : undefined
    const settle = (finish: () => void) => {
      clearTimeout(timeout)
      clearTimeout(disconnect)
      socket.destroy()
      finish()
    }
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => settle(() => resolve(Buffer.concat(received))))
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]))
  })
}

function expectLegal({ name, head: sent, isWild }: RandomRequest, received: Buffer): void {
  const response = received.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  if (isWild && response === '') return
  const headEnd = response.indexOf('\r\n\r\n')
  const [head, body] = [response.slice(0, headEnd), response.slice(headEnd + 4)]
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (isWild && /^HTTP\/1.1 (400|408|431) .*\r\nContent-Length: 0\r\nConnection: close$/.test(head)) return
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
    // Without a parameter, a path may be that of another operation.
    if (response_code < 4000 && /^\S+ \S*\/[/ ]/.test(sent)) return
    const declared = response_code < 4000 ? successes.get(name) : failure
    expect(declared?.Errors(envelope)).toEqual([])
  } else {
    expect(successes.get(name), head).toBeUndefined()
    expect([200, 206, 304, 416]).toContain(status)
  }
}
