import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { DeletedEnvelope, SuccessEnvelope } from '../../src/contract/envelope.ts'
import type { TestApp } from '../app.ts'
import { readRecords, setUpUnchangedExampleApp, startExampleApp } from './example-app.ts'
import { operationOf, reads, writes } from './examples.ts'
import { requestFor, send } from './requests.ts'
import { expectBytes, readEnvelope } from './responses.ts'

const expectNoChange = setUpUnchangedExampleApp()

/** The message contains the envelope: that of a failure violates the schema of a success in many places. */
const expectValid = (schema: TSchema, envelope: unknown): void =>
  expect(Compile(schema).Errors(envelope), JSON.stringify(envelope)).toEqual([])

test.each(reads)('%s returns what it declares, signed, and changes nothing', (name) =>
  expectNoChange(async (t) => {
    const response = await send(t, requestFor(name))
    const { data } = operationOf(name)
    if (!data) return expectBytes(response)
    const envelope = await readEnvelope(response)
    expectValid(SuccessEnvelope(data), envelope)
    const [records] = Object.values(envelope[0].data)
    expect(records, `the records that ${name} returns; make.oneOfEach creates one of each`).not.toEqual([])
  }),
)

const countChanges = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.database.read.selectFrom('change').select('id').execute()).length

test.each(writes)('%s returns what it declares, signed, changes a record and logs the change', async (name) => {
  await using t = await startExampleApp()
  const [before, changes] = [await readRecords(t), await countChanges(t)]
  const envelope = await readEnvelope(await send(t, requestFor(name)))
  const { method, data } = operationOf(name)
  if (!data) throw new Error('every write returns an envelope')
  const declared = method === 'DELETE' ? DeletedEnvelope(data) : SuccessEnvelope(data)
  expectValid(declared, envelope)
  expect(await readRecords(t), 'the records after the write').not.toEqual(before)
  expect(await countChanges(t), `rows of the change log; ${name} calls appendChange`).toBeGreaterThan(changes)
})
