import { expect, test, vi } from 'vitest'
import type { SpecifiedOperationName } from '../../src/contract/index.ts'
import type { TestApp } from '../app.ts'
import { recordTables } from '../fill-tables.ts'
import { setUpUnchangedExampleApp, startExampleApp } from './example-app.ts'
import { names, writes } from './examples.ts'
import { provocationsOf } from './provocations.ts'
import { requestFor, send, type TestResponse } from './requests.ts'
import { expectFailure, expectProblem, readEnvelope } from './responses.ts'

const expectNoChange = setUpUnchangedExampleApp()

const accept = 'application/problem+json, application/json;q=0.5'

test.each(names)(
  '%s returns each failure that it declares in an envelope, and as a problem, and changes nothing',
  (name) =>
    expectNoChange(async (t) => {
      for (const { reason, requests } of provocationsOf(name, new URL(t.url).port)) {
        const [first] = requests
        if (!first) throw new Error(`no request provokes ${reason}: give one in 'fails' in examples.ts`)
        for (const request of requests) await expectFailure(await send(t, request), reason)
        expectProblem(await send(t, { ...first, headers: { ...first.headers, accept } }), reason)
      }
    }),
)

test('only a client that prefers problem+json to JSON gets it', () =>
  expectNoChange(async (t) => {
    const request = requestFor('getTopic', { params: { topic_id: 404 } })
    for (const accept of [
      '*/*',
      'application/json, application/problem+json;q=0.9',
      'application/problem+json;q=0',
      '',
    ]) {
      await expectFailure(await send(t, { ...request, headers: { accept } }), 'TOPIC_NOT_FOUND')
    }
    for (const accept of ['application/problem+json', 'application/problem+json, */*;q=0.1'])
      expectProblem(await send(t, { ...request, headers: { accept } }), 'TOPIC_NOT_FOUND')
  }))

test('every write refuses an idempotency key whose first request is in progress', async () => {
  await using t = await startExampleApp()
  const gate = Promise.withResolvers<void>()
  // A transaction that does not end keeps all writes waiting.
  const held = t.ctx.database.transaction(() => gate.promise)
  using transactions = vi.spyOn(t.ctx.database, 'transaction')
  const first = writes.map((name) => sendWithKey(t, name))
  await expect.poll(() => transactions.mock.calls.length).toBe(writes.length)
  for (const name of writes) {
    const second = await sendWithKey(t, name)
    await expectFailure(second, 'IDEMPOTENCY_KEY_IN_FLIGHT')
    expect(second.header('retry-after')).toEqual(['1'])
  }
  gate.resolve()
  await held
  for (const response of await Promise.all(first)) await readEnvelope(response)
})

function sendWithKey(t: TestApp, name: SpecifiedOperationName): Promise<TestResponse> {
  const request = requestFor(name)
  return send(t, { ...request, headers: { ...request.headers, 'idempotency-key': name } })
}

test('an internal error is a 5000 that does not reveal its cause, for every operation', async () => {
  await using t = await startExampleApp()
  await t.ctx.database.transaction(async (tx) => {
    for (const table of recordTables) await tx.schema.alterTable(table).renameTo(`lost_${table}`).execute()
  })
  for (const name of names) {
    const response = await send(t, requestFor(name))
    await expectFailure(response, 'INTERNAL')
    expect(response.bytes.toString()).not.toMatch(/sql|table|topic|\.ts|node/i)
  }
})
