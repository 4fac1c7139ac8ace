import { expect, test } from 'vitest'
import { operationsIn } from '../../src/contract/index.ts'
import { examples } from '../contract/examples.ts'
import { declareMatrixTests } from './declare-matrix-tests.ts'

declareMatrixTests('public', { isExhaustive: false })

// The matrix derives what it expects from these rules, so that none of them may change by accident.
test('who may use each operation is decided in examples.ts, too', () => {
  const declared = operationsIn('members').map(([name, { access }]) => [name, access])
  const decided = Object.entries(examples).map(([name, { access }]) => [name, access])
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(decided))
})
