import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { DeletedEnvelope, SuccessEnvelope } from '../../src/contract/envelope.ts'
import { exampleApp, readRecords, unchangedExampleApp } from './example-app.ts'
import { operationOf, reads, writes } from './examples.ts'
import { requestFor, send } from './requests.ts'
import { expectImage, readEnvelope } from './responses.ts'

const expectNoChange = unchangedExampleApp()

test.each(reads)('%s returns what it declares, signed, and changes nothing', (name) =>
  expectNoChange(async (t) => {
    const response = await send(t, requestFor(name))
    const { data } = operationOf(name)
    if (data) expect(Compile(SuccessEnvelope(data)).Errors(await readEnvelope(response))).toEqual([])
    else expectImage(response)
  }),
)

test.each(writes)('%s returns what it declares, signed, and changes a record', async (name) => {
  await using t = await exampleApp()
  const before = await readRecords(t)
  const envelope = await readEnvelope(await send(t, requestFor(name)))
  const { method, data } = operationOf(name)
  if (!data) throw new Error('every write returns an envelope')
  const declared = method === 'DELETE' ? DeletedEnvelope(data) : SuccessEnvelope(data)
  expect(Compile(declared).Errors(envelope)).toEqual([])
  expect(await readRecords(t)).not.toEqual(before)
})
