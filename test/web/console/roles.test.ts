import { declareRoleTests } from './declare-role-tests.ts'

declareRoleTests('members')
