import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operationsIn } from '../../src/contract/index.ts'
import { type AdditionalExample, additionalNamesIn, examples, operationOf } from '../contract/examples.ts'
import { declareMatrixTests } from './declare-matrix-tests.ts'

declareMatrixTests('public', { isExhaustive: false })

// The matrix derives what it expects from these rules, so that none of them may change by accident.
test('who may use each operation is decided in examples.ts, too', () => {
  const declared = operationsIn('members').map(([name, { access }]) => [name, access])
  const decided = Object.entries(examples).map(([name, { access }]) => [name, access])
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(decided))
})

test.each(additionalNamesIn('members'))(
  'each failure of %s is one of the matrix, or has a test that examples.ts names',
  (name) => {
    const { outcome, withoutParticipant, fails = {} }: AdditionalExample = examples[name]
    const declared = operationOf(name).fails.filter((reason) => reason !== outcome && reason !== withoutParticipant)
    expect(Object.keys(fails).toSorted()).toEqual(declared.toSorted())
    for (const [reason, path] of Object.entries(fails))
      expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), path).toContain(`'${reason}'`)
  },
)
