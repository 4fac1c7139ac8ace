import { declareMatrixTests } from './declare-matrix-tests.ts'

declareMatrixTests('public', { isExhaustive: true })
declareMatrixTests('members', { isExhaustive: true })
