import { declareMatrixTests } from './declare-matrix-tests.ts'

declareMatrixTests('members')
