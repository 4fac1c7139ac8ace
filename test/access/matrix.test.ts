import { expect, test } from 'vitest'
import type { WriteAccess } from '../../src/contract/access.ts'
import { operationOf, reads, writes } from '../contract/examples.ts'
import { declareMatrixTests, readersOf } from './declare-matrix-tests.ts'

declareMatrixTests('public')

test('what needs a key where ACCESS is public, and who writes for anyone, is decided', () => {
  const forParticipants = reads.filter((name) => readersOf(name) !== 'anyone')
  expect(forParticipants).toEqual(['listFeedback', 'listFeedbackOfParticipant', 'listParticipants'])
  const ofEditors = writes.filter((name) => (operationOf(name).access as WriteAccess).role !== 'moderator')
  expect(ofEditors).toEqual(['updateParticipant'])
})
