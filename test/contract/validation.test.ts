import { declareValidationTests } from './declare-validation-tests.ts'

declareValidationTests({ isExhaustive: false })
